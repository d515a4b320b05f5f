import { describe, expect, test } from '@jest/globals';
import pLimit from 'p-limit';
import type { Rate } from '../../functions/core/rates.ts';
import { createCallBudget } from '../../functions/shard-worker/call-budget.ts';
import type { CallBudget, Holding } from '../../functions/shard-worker/call-budget.ts';
import { createStore } from '../../functions/store/create-store.ts';
import { budgetKey } from '../../functions/store/keys.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import { TableError } from '../../functions/store/table.ts';
import { createVirtualTime } from '../../simulator/virtual-time.ts';
import { T0 } from '../support/tasks.ts';

const HEAD = 's3:HeadObject';
const LIST = 'emr:ListSteps';
const EMR: Readonly<Record<string, Rate>> = { [LIST]: { rate: 0.5, burst: 10 } };
const ALL = new Set(Array.from({ length: 16 }, (_, shard) => shard));

/** A queue whose table answers after so many ms. */
function stage(tableMs = 10) {
  const time = createVirtualTime(T0);
  const table = createMemoryTable();
  let ids = 0;
  let writes = 0;
  const store = createStore({
    table: {
      ...table,
      async update(update) {
        writes += 1;
        await time.clock.sleep(tableMs);
        return table.update(update);
      },
    },
    newId: () => `op-${(ids += 1)}`,
  });
  const instants: number[] = [];
  const budget = (holder: Holding['holder'], rates: Holding['rates']): CallBudget =>
    createCallBudget({ store, clock: time.clock, log: () => undefined }, { queue: 'q', rates, holder });
  /** Makes calls from a second on, so many at once, as far as they are admitted. */
  const calls = (by: CallBudget, at: number, count: number, latest: number, operation = HEAD, atOnce = count): void => {
    const limit = pLimit(atOnce);
    const one = async (): Promise<void> => {
      const slot = await by.slot(operation, T0 + latest * 1000);
      if (slot === undefined) return;
      await time.clock.sleep(slot - time.now());
      instants.push((time.now() - T0) / 1000);
    };
    time.at(T0 + at * 1000, 'step', () => {
      for (let call = 0; call < count; call += 1) void limit(one);
    });
  };
  /** `instants`: the seconds at which calls were made. */
  return { time, instants, writes: () => writes, budget, calls };
}

function busiest(seconds: readonly number[]): number {
  const sorted = seconds.toSorted((a, b) => a - b);
  return Math.max(0, ...sorted.map((from) => sorted.filter((at) => at >= from && at < from + 0.9995).length));
}

describe('a pooled budget', () => {
  test('a new tick has no burst where the one before it has just used it', async () => {
    const { time, budget, calls, instants } = stage();
    for (const at of [0, 1]) calls(budget({ kind: 'tick', shards: 16, owned: ALL }, EMR), at, 8, at + 50, LIST);
    await time.runUntil(T0 + 60_000);
    expect(instants).toHaveLength(16);
    // 7 at once, then one every 2 s, whoever makes them.
    expect(instants.map(Math.floor)).toEqual([0, 0, 0, 0, 0, 0, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
  });

  test('leaves a first poke its part of the burst, and no more than that', async () => {
    const { time, budget, calls, instants } = stage();
    calls(budget({ kind: 'tick', shards: 16, owned: ALL }, EMR), 0, 7, 50, LIST);
    calls(budget({ kind: 'first' }, EMR), 1, 3, 9, LIST);
    await time.runUntil(T0 + 60_000);
    expect(instants.slice(7).map(Math.floor)).toEqual([1, 1, 2]);
  });

  test('is the same for executions, runs and ticks, whose calls are never above the quota', async () => {
    const { time, budget, calls, instants } = stage();
    for (let at = 0; at < 100; at += 1) {
      calls(budget({ kind: at % 3 === 0 ? 'first' : 'run' }, EMR), at, 2, at + 20, LIST);
    }
    await time.runUntil(T0 + 200_000);
    for (const [index, at] of instants.entries()) {
      const before = instants.slice(0, index + 1).filter((one) => one > at - 40).length;
      expect(before).toBeLessThanOrEqual(10 + 40 * 0.5);
    }
    expect(instants.length).toBeGreaterThan(50);
  });

  test('books what is wanted at once with one write, and a whole quota is used', async () => {
    const { time, budget, calls, instants, writes } = stage();
    calls(budget({ kind: 'tick', shards: 16, owned: ALL }, EMR), 0, 30, 46, LIST);
    await time.runUntil(T0 + 60_000);
    expect(instants).toHaveLength(30);
    expect(writes()).toBe(1);
  });

  test('a rate of 0 admits nobody, and asks nobody', async () => {
    const { time, budget, calls, instants, writes } = stage();
    calls(budget({ kind: 'run' }, { s3: { rate: 0, burst: 1 } }), 0, 3, 50);
    await time.runUntil(T0 + 60_000);
    expect([instants, writes()]).toEqual([[], 0]);
  });
});

describe('a paced budget', () => {
  const rates = { s3: { rate: 100, burst: 1 } };

  test('what was booked for an instant that has passed is not called later: another second would have one too many', async () => {
    const { time, budget, calls, instants, writes } = stage();
    const run = budget({ kind: 'run' }, rates);
    run.expect(HEAD, 20);
    calls(run, 0, 1, 10);
    // The other 19 were for the second that is over.
    calls(run, 5, 40, 10);
    await time.runUntil(T0 + 20_000);
    expect(writes()).toBeGreaterThan(1);
    expect(busiest(instants)).toBeLessThanOrEqual(25);
    expect(instants).toHaveLength(41);
  });

  test('a hundred invocations of first pokes, two workers and a run at once: no second above the rate', async () => {
    const { time, budget, calls, instants } = stage();
    for (let index = 0; index < 100; index += 1) {
      const first = budget({ kind: 'first' }, rates);
      first.expect(HEAD, 100);
      calls(first, index / 50, 100, 10);
    }
    for (const half of [0, 8]) {
      const owned = new Set(Array.from({ length: 8 }, (_, shard) => half + shard));
      calls(budget({ kind: 'tick', shards: 16, owned }, rates), 0, 2000, 10);
    }
    calls(budget({ kind: 'run' }, rates), 3, 5, 20);
    await time.runUntil(T0 + 30_000);
    expect(busiest(instants)).toBeLessThanOrEqual(100);
    expect(instants.filter((at) => at >= 1 && at < 9).length).toBeGreaterThan(0.95 * 800);
  });

  test('a tick that is short takes what first pokes leave, a tick with its own instants writes nothing', async () => {
    const short = stage();
    short.calls(short.budget({ kind: 'tick', shards: 16, owned: ALL }, rates), 0, 2000, 20, HEAD, 32);
    await short.time.runUntil(T0 + 30_000);
    expect(short.instants.filter((at) => at >= 2 && at < 12).length).toBeGreaterThan(950);
    expect(busiest(short.instants)).toBeLessThanOrEqual(100);

    const idle = stage();
    idle.calls(idle.budget({ kind: 'tick', shards: 16, owned: ALL }, rates), 0, 60, 20, HEAD, 3);
    await idle.time.runUntil(T0 + 30_000);
    expect([idle.instants.length, idle.writes()]).toEqual([60, 0]);
  });

  test('calls that were announced are one write', async () => {
    const { time, budget, calls, instants, writes } = stage();
    const first = budget({ kind: 'first' }, rates);
    first.expect(HEAD, 80);
    calls(first, 0, 80, 8);
    await time.runUntil(T0 + 10_000);
    expect([instants.length, writes()]).toEqual([80, 1]);
  });

  test('a table that is slow delays calls and stops none', async () => {
    const { time, budget, calls, instants } = stage(400);
    const run = budget({ kind: 'run' }, rates);
    for (const at of [0, 1, 2, 3]) calls(run, at, 1, 20);
    await time.runUntil(T0 + 10_000);
    expect(instants).toHaveLength(4);
  });
});

test('a table that does not answer, or a record that cannot be read, is no room, and no room for ever', async () => {
  const time = createVirtualTime(T0);
  const table = createMemoryTable();
  const logged: unknown[] = [];
  const store = createStore({ table, newId: () => `op-${Math.floor(time.now())}` });
  let down = true;
  const run = createCallBudget(
    {
      store: {
        async bookCalls(...asked) {
          if (down) throw new TableError('down');
          return store.bookCalls(...asked);
        },
      },
      clock: time.clock,
      log: (entry) => void logged.push(entry.message),
    },
    { queue: 'q', rates: EMR, holder: { kind: 'run' } },
  );
  expect(await run.slot(LIST, T0 + 20_000)).toBeUndefined();
  expect(logged).toEqual(['calls not booked']);
  down = false;
  await table.update({ key: budgetKey('q', LIST), change: { set: { booked_until: 'soon' } } });
  await time.runUntil(T0 + 5000);
  expect(await run.slot(LIST, T0 + 20_000)).toBe(T0 + 5000);
});
