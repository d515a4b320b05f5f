import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cadenceOf, GRACE_MS, isSettled } from '../../functions/core/membership.ts';
import type { Cadence, Target } from '../../functions/core/target.ts';
import { createStore } from '../../functions/store/create-store.ts';
import { moreEager } from '../../functions/store/eager.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import type { Store } from '../../functions/store/store.ts';
import type { Condition, Table, Update } from '../../functions/store/table.ts';
import { EXEC, T0 } from '../support/tasks.ts';

const seconds = fc.integer({ min: 1, max: 20 });
const cadence: fc.Arbitrary<Cadence> = fc.oneof(
  fc.record({ poke_interval: seconds, exponential: fc.constant(false) }),
  fc.record({ poke_interval: seconds, exponential: fc.constant(true) }),
  fc.record({ poke_interval: seconds, exponential: fc.constant(true), max_wait: seconds }),
);

/** The cadence of members as the core computes it. */
function expected(cadences: readonly Cadence[]): Cadence {
  return cadenceOf(
    cadences.map(({ poke_interval, exponential, max_wait }) => ({
      exec: {
        ...EXEC,
        poke_interval,
        exponential_backoff: exponential,
        ...(max_wait === undefined ? {} : { max_wait }),
      },
      deadline: T0,
    })),
  );
}

test('joining one by one gives the cadence that the core gives all of them', () => {
  fc.assert(
    fc.property(fc.array(cadence, { minLength: 1, maxLength: 6 }), (joiners) => {
      const [first, ...others] = joiners;
      if (first === undefined) return;
      const joined = others.reduce((standing, joiner) => moreEager(standing, joiner) ?? standing, first);
      expect(joined).toEqual(expected(joiners));
    }),
  );
});

describe('joins that race', () => {
  const base = {
    queue: 'q',
    mode: 'smart' as const,
    hashcode: '42',
    shardcode: 42,
    sensor: { type: 's3_key', bucket: 'b', key: ['k'] },
    full_hash: 'f',
    rev: 1,
    first_poke_at: 0,
  };
  const workArb = fc.constantFrom('relax' as const, 'sleep' as const, 'delete' as const);
  const joiner = fc.record({ cadence, deadline: fc.integer({ min: 1, max: 9 }).map((n) => T0 + n * 1_000_000) });

  const joinersArb = fc.array(joiner, { minLength: 1, maxLength: 4 });

  /** A table whose every operation happens, and is answered, when the scheduler says so. */
  function scheduled(table: Table, s: fc.Scheduler): Table {
    const late =
      <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
      async (...args: Args): Promise<Answer> => {
        await s.schedule(Promise.resolve(), 'request');
        const answer = await call(...args);
        await s.schedule(Promise.resolve(), 'answer');
        return answer;
      };
    return {
      ...table,
      get: late((key: string) => table.get(key)),
      update: late((update: Update) => table.update(update)),
      delete: late((key: string, condition: Condition) => table.delete(key, condition)),
    };
  }

  const LAZY: Cadence = { poke_interval: 600, exponential: false };
  type Work = 'relax' | 'sleep' | 'delete';

  /** A worker that saw the target before: what it may still do, it does. */
  async function worker(store: Store, seen: Target, work: Work): Promise<void> {
    await store.observe(seen, { observation: { kind: 'not_met', state: 'X' }, at: T0, first_unknown_at: null });
    if (work === 'relax') await store.relax(seen, LAZY, T0 + 99_000_000);
    else if (await store.goDormant(seen, T0)) {
      if (work === 'delete') await store.deleteTarget({ ...seen, rev: seen.rev + 1 });
    }
    const fresh = await store.target(seen);
    if (fresh !== undefined && isSettled(fresh, T0)) await store.relax(fresh, LAZY, T0 + 99_000_000);
  }

  test.each(['on a new target', 'on one that a worker relaxes, puts to sleep and deletes'])(
    '%s leave one that is awake, no less eager than any, for no longer than the first to end; one first poke',
    async (where) => {
      const standing = where !== 'on a new target';
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), joinersArb, workArb, async (s, joiners, doing) => {
          const table = createMemoryTable();
          let ids = 0;
          const store = (over: Table) => createStore({ table: over, newId: () => `op-${(ids += 1)}` });
          const old = { ...base, poke_interval: 8, exponential: false, next_deadline: T0 + 5_000_000 };
          const made = standing
            ? (await store(table).join({ ...old, joined_at: T0 - GRACE_MS }, true)).target
            : undefined;

          const racing = store(scheduled(table, s));
          const joins = joiners.map((one) =>
            racing.join({ ...base, ...one.cadence, next_deadline: one.deadline, joined_at: T0 }, true),
          );
          const work = made === undefined ? Promise.resolve() : worker(racing, made, doing);
          await s.waitFor(Promise.all([...joins, work]));

          const target = await store(table).target(base);
          if (target === undefined) throw new Error('the target is gone');
          expect(target.dormant).toBeUndefined();
          expect(target.next_deadline).toBeLessThanOrEqual(Math.min(...joiners.map(({ deadline }) => deadline)));
          const wanted = expected(joiners.map((one) => one.cadence));
          expect(moreEager(target, wanted)).toBeUndefined();
          // Nobody else was there: no more eager than asked for, either.
          expect(standing || moreEager(wanted, target) === undefined).toBe(true);
          expect((await Promise.all(joins)).filter(({ firstPoke }) => firstPoke)).toHaveLength(1);
        }),
        { numRuns: 150 },
      );
    },
  );

  test('a target that goes away between the two steps is made again', async () => {
    const table = createMemoryTable();
    let left = 1;
    const stealing: Table = {
      ...table,
      async update(update) {
        const answer = await table.update(update);
        if (left > 0) await table.delete(update.key, []);
        left -= 1;
        return answer;
      },
    };
    const store = createStore({ table: stealing, newId: () => `op-${left}` });
    const standing = { ...base, poke_interval: 60, exponential: false, next_deadline: T0 + 5, joined_at: T0 };
    await createStore({ table, newId: () => 'op' }).join(standing, false);
    const { target } = await store.join({ ...standing, poke_interval: 9 }, true);
    expect(await store.target(base)).toEqual(target);
    expect(target).toMatchObject({ rev: 1, poke_interval: 9 });
  });
});
