import { describe, expect, test } from '@jest/globals';
import { transition } from '../../functions/core/states.ts';
import type { TaskEvent } from '../../functions/core/states.ts';
import { TableError } from '../../functions/store/table.ts';
import type { Table } from '../../functions/store/table.ts';
import { headError, THROTTLED } from '../sensors/fakes.ts';
import { T0 } from '../support/tasks.ts';
import { bench, own } from './harness.ts';
import type { Bench } from './harness.ts';

const at = (second: number) => T0 + second * 1000;

/** What a user or another worker does to the task. */
async function happens(one: Bench, event: TaskEvent): Promise<void> {
  const seen = await one.task();
  const outcome = transition(seen, event, { now: one.time.now(), by: 'user:u' });
  if (outcome.kind === 'moved') await one.store.move(seen, outcome.task);
}

describe('mode reschedule', () => {
  test('is one poke, and then nobody holds the task until the next is due', async () => {
    const one = await bench(own('reschedule'));
    const run = one.runAt(1);
    await one.time.runUntil(at(10));
    expect(run.how).toBe('done');
    expect(one.heads).toHaveLength(1);
    expect(await one.task()).toMatchObject({ state: 'up_for_reschedule', try_number: 1, wake_at: at(60) });
    expect(one.logged).toEqual([]);
  });

  test('comes back when it is due, and not before; its deadline stays and is a due time', async () => {
    const one = await bench(own('reschedule', { timeout: 100 }));
    for (const second of [1, 59, 60, 100]) one.runAt(second);
    await one.time.runUntil(at(100.0005));
    expect(await one.task()).toMatchObject({ state: 'up_for_reschedule', wake_at: at(100) + 1 });
    expect(one.heads).toHaveLength(2);
    one.runAt(100.002);
    await one.time.runUntil(at(101));
    expect(await one.task()).toMatchObject({ state: 'failed', reason: 'timeout', deadline: at(100) });
  });

  test('keeps its window where a poke says nothing, and closes it by a clean one', async () => {
    const one = await bench(own('reschedule'), undefined, undefined, (second) => {
      if (second > 100) return {};
      throw THROTTLED;
    });
    one.runAt(1);
    one.runAt(60);
    await one.time.runUntil(at(70));
    expect(await one.task()).toMatchObject({ state: 'up_for_reschedule', first_unknown_at: at(1) });
    one.runAt(120);
    await one.time.runUntil(at(130));
    expect(await one.task()).toMatchObject({ state: 'success' });
    expect(await one.task()).not.toHaveProperty('first_unknown_at');
  });

  test('a sensor with a defect fails nobody: it is unknown, with its reason in the log', async () => {
    const one = await bench(own('reschedule'), undefined, undefined, () => {
      throw new TypeError('broken');
    });
    one.runAt(1);
    await one.time.runUntil(at(10));
    expect(await one.task()).toMatchObject({ state: 'up_for_reschedule', first_unknown_at: at(1) });
    // A run of one poke has a line where something happened that operators want to know.
    expect(one.logged).toMatchObject([
      { message: 'poison', reason: expect.stringContaining('broken') },
      { message: 'run', queue: 'default', poison: 1, _aws: expect.anything() },
    ]);
  });
});

describe('mode poke', () => {
  test('stays, pokes when due, renews its lease at half, and writes nothing else', async () => {
    const one = await bench(own('poke'), 130);
    const run = one.runAt(1);
    await one.time.runUntil(at(89));
    expect(await one.task()).toMatchObject({ state: 'running', rev: 2, wake_at: at(181) });
    await one.time.runUntil(at(100));
    expect(await one.task()).toMatchObject({ state: 'running', rev: 3, wake_at: at(271) });
    await one.time.runUntil(at(200));
    expect(run.how).toBe('done');
    expect(await one.task()).toMatchObject({ state: 'success', rev: 4, ended_at: at(180) });
    expect(one.heads).toEqual([1, 60, 120, 180]);
    expect(one.logged).toMatchObject([{ message: 'run', pokes: 4 }]);
  });

  test('hands over before its time is over; the next run goes on where it was', async () => {
    const one = await bench(own('poke'), 900);
    one.runAt(1);
    await one.time.runUntil(at(842));
    const handed = { kind: 'run', task_id: 'a', try_number: 1, poke_at: at(900) };
    expect(one.invoked).toEqual([handed]);
    expect(await one.task()).toMatchObject({ state: 'queued', try_number: 1, wake_at: at(841) });
    one.runAt(843, { poke_at: at(900) });
    await one.time.runUntil(at(901));
    expect(await one.task()).toMatchObject({ state: 'success', try_number: 1 });
    expect(one.heads.filter((second) => second > 780)).toEqual([840, 900]);
  });

  test('carries what it knows of its window into its lease, where it is renewed', async () => {
    const one = await bench(own('poke'), undefined, undefined, () => {
      throw THROTTLED;
    });
    one.runAt(1);
    await one.time.runUntil(at(80));
    expect(await one.task()).not.toHaveProperty('first_unknown_at');
    await one.time.runUntil(at(100));
    expect(await one.task()).toMatchObject({ state: 'running', first_unknown_at: at(1) });
  });

  test.each([
    { type: 'mark', state: 'skipped' },
    { type: 'clear' },
    { type: 'remove' },
    { type: 'lease_expired' },
  ] as const)('ends before its next poke when the task is not its own any more: $type', async (event) => {
    const one = await bench(own('poke', { poke_interval: 10 }));
    const run = one.runAt(1);
    one.time.at(at(35), 'step', () => void happens(one, event));
    await one.time.runUntil(at(60));
    expect(run.how).toBe('done');
    expect(one.heads).toHaveLength(4);
  });
});

describe('a run that is not wanted', () => {
  test.each([
    ['of another try', { try_number: 2 }],
    ['of no task', { task_id: 'nobody' }],
  ])('%s does nothing', async (_, event) => {
    const one = await bench(own('poke'));
    const run = one.runAt(1, event);
    await one.time.runUntil(at(10));
    expect(run.how).toBe('done');
    expect(one.heads).toEqual([]);
    expect(await one.task()).toMatchObject({ state: 'queued', rev: 1 });
  });

  test('case 74: of two side by side one has the task, and the other ends without a word', async () => {
    const one = await bench(own('reschedule'));
    const runs = [one.runAt(1), one.runAt(1)];
    await one.time.runUntil(at(10));
    expect(runs.map(({ how }) => how)).toEqual(['done', 'done']);
    expect(one.heads).toHaveLength(1);
    expect((await one.task()).history.filter(({ to }) => to === 'running')).toHaveLength(1);
  });

  test('case 11: what a poke saw, and writes after the next one has begun, is not heard', async () => {
    const late = (table: Table, time: Bench['time']): Table => ({
      ...table,
      async update(update) {
        if (update.change.set?.['state'] === 'success') await time.clock.sleep(200_000);
        return table.update(update);
      },
    });
    const one = await bench(own('reschedule'), undefined, late, (second) => (second < 50 ? {} : headError(404)));
    const first = one.runAt(1);
    one.time.at(at(100), 'step', () => void happens(one, { type: 'lease_expired' }));
    one.runAt(101);
    await one.time.runUntil(at(199));
    const before = await one.task();
    expect(before).toMatchObject({ state: 'up_for_reschedule', wake_at: at(120) });
    await one.time.runUntil(at(300));
    expect(first.how).toBe('done');
    expect(one.heads).toEqual([1, 101]);
    expect(await one.task()).toEqual(before);
  });

  test('a payload that is none is refused', async () => {
    const one = await bench(own('poke'));
    const run = one.runAt(1, { try_number: 0 });
    await one.time.runUntil(at(2));
    expect(run.how).toBe('failed');
  });
});

describe('a table that does not answer', () => {
  /** Its updates fail in a window of seconds; `applied`: they are made all the same. */
  const failing =
    (from: number, to: number, applied: boolean) =>
    (table: Table, time: Bench['time']): Table => ({
      ...table,
      async update(update) {
        const second = (time.now() - T0) / 1000;
        const answer = second < from || second >= to || applied ? await table.update(update) : undefined;
        if (answer === undefined || (second >= from && second < to)) throw new TableError('no answer');
        return answer;
      },
    });

  test.each([
    ['mode poke', own('poke'), 61, 60],
    ['mode reschedule', own('reschedule'), 0, 1],
  ] as const)(
    '%s: the end that a poke has found is written again until the lease is over',
    async (_, task, there, from) => {
      const one = await bench(task, there, failing(from + 0.5, from + 70, false));
      one.runAt(from === 1 ? 1.4 : 1);
      await one.time.runUntil(at(300));
      expect(await one.task()).toMatchObject({ state: 'success', try_number: 1 });
    },
  );

  test('a start whose answer was lost is known again, and the run goes on', async () => {
    const one = await bench(own('reschedule'), 0, failing(0, 1.2, true));
    const run = one.runAt(1);
    await one.time.runUntil(at(20));
    expect(run.how).toBe('done');
    expect(one.heads).toHaveLength(1);
    expect(await one.task()).toMatchObject({ state: 'success' });
  });

  test('a run that cannot renew its lease dies with it, and leaves the task to be missed', async () => {
    const one = await bench(own('poke'), undefined, failing(50, 900, false));
    const run = one.runAt(1);
    await one.time.runUntil(at(200));
    expect(run.how).toBe('failed');
    expect(await one.task()).toMatchObject({ state: 'running', wake_at: at(181) });
  });
});
