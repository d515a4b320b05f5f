import { describe, expect, test } from '@jest/globals';
import { transition } from '../../functions/core/states.ts';
import type { TaskEvent } from '../../functions/core/states.ts';
import type { Task } from '../../functions/core/task.ts';
import { callbacksOf } from '../../functions/notifier/callbacks.ts';
import { eventOf } from '../../functions/notifier/event.ts';
import type { Untold } from '../../functions/core/untold.ts';
import { createNotifier } from '../../functions/notifier/notifier.ts';
import type { Bus } from '../../functions/notifier/receivers.ts';
import type { Callbacks } from '../../functions/ports.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import type { StreamChange } from '../../functions/store/stream.ts';
import { aTask, T0 } from '../support/tasks.ts';

function changeBy(before: Task, event: TaskEvent): StreamChange {
  const outcome = transition(before, event, { now: T0 + 5000, by: 'service' });
  if (outcome.kind !== 'moved') throw new Error('unchanged');
  return { before, after: outcome.task };
}

/** No task of these has a token. */
const nobodyWaits: Callbacks = {
  succeed: () => Promise.reject(new Error('nobody waits')),
  fail: () => Promise.reject(new Error('nobody waits')),
};

const success = (id: string) => changeBy(aTask({}, { id }), { type: 'met' });

/** A notifier on a bus that is scripted call by call; what waits does so at once and is noted. */
function notifierOn(publish: Bus['publish'], addUntold?: (marks: readonly Untold[]) => Promise<void>) {
  const waits: number[] = [];
  const marks: Untold[] = [];
  const logged: unknown[] = [];
  const notify = createNotifier({
    bus: { publish },
    callbacks: nobodyWaits,
    store: { addUntold: addUntold ?? (async (added) => void marks.push(...added)) },
    clock: {
      now: () => T0,
      async sleep(ms) {
        waits.push(ms);
      },
    },
    log: (line) => void logged.push(line),
    settings: DEFAULT_SETTINGS,
  });
  return { notify, waits, marks, logged };
}

describe('eventOf', () => {
  test('an end that a backup brings back was told when it was reached', () => {
    const { after } = success('a');
    if (after === undefined) throw new Error('no end');
    const restored: Task = { ...after, restored_at: T0 + 9000 };
    expect(eventOf({ after: restored })).toBeUndefined();
    expect(callbacksOf({ after: { ...restored, callback_tokens: ['token'] } })).toEqual([]);
    // What happens to it from then on is told as ever.
    expect(eventOf(changeBy(restored, { type: 'mark', state: 'failed' }))).toMatchObject({ state: 'failed' });
  });

  test('an end is told, with one id for one fact', () => {
    const task = aTask({}, { id: 'a', tags: { team: 'x' }, coordinates: { dag_id: 'd' } });
    expect(eventOf(changeBy(task, { type: 'met' }))).toEqual({
      id: 'a~1#success',
      task_id: 'a',
      try_id: 'a~1',
      try_number: 1,
      max_tries: 0,
      state: 'success',
      previous_state: 'sensing',
      queue: 'default',
      mode: 'smart',
      sensor: 's3_key',
      at: '2024-01-01T00:00:05.000Z',
      coordinates: { dag_id: 'd' },
      tags: { team: 'x' },
    });
  });

  test('up_for_retry is told, with its reason and when the next try is', () => {
    const change = changeBy(aTask({ retries: 1, retry_delay: 60 }), { type: 'failed', reason: 'broken' });
    expect(eventOf(change)).toMatchObject({
      id: 'a~1#up_for_retry',
      reason: 'broken',
      next_retry_at: '2024-01-01T00:01:05.000Z',
    });
  });

  test.each([
    ['a submit', { after: aTask() }],
    ['a removal by the TTL', { before: aTask({}, { state: 'success' }) }],
    [
      'a write that is no transition',
      { before: aTask({}, { state: 'failed' }), after: aTask({}, { state: 'failed' }) },
    ],
  ] as const)('%s is not told', (_name, change) => {
    expect(eventOf(change)).toBeUndefined();
  });

  test('the same end in a later try is another fact', () => {
    const before = aTask({}, { state: 'failed' });
    expect(eventOf({ before, after: aTask({}, { state: 'failed', try_number: 2 }) })?.id).toBe('a~2#failed');
  });
});

describe('delivery', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => success(`t${index}`));
  const refusal = (name: string) => Object.assign(new Error('secret words'), { name });

  test('goes out ten a call, and writes nothing', async () => {
    const sizes: number[] = [];
    const { notify, marks, waits } = notifierOn(
      async (events) => {
        sizes.push(events.length);
        return [];
      },
      () => Promise.reject(new Error('nothing is written')),
    );
    await notify(many(25));
    expect(sizes).toEqual([10, 10, 5]);
    expect([marks, waits]).toEqual([[], []]);
  });

  test('an entry that is refused is tried again alone, the others are not', async () => {
    const calls: string[][] = [];
    const { notify, marks } = notifierOn(async (events) => {
      calls.push(events.map(({ task_id }) => task_id));
      return calls.length === 1
        ? events.filter(({ task_id }) => task_id === 'b').map((event) => ({ event, why: 'busy' }))
        : [];
    });
    await notify([success('a'), success('b'), success('c')]);
    expect(calls).toEqual([['a', 'b', 'c'], ['b']]);
    expect(marks).toEqual([]);
  });

  // Case 86: an alert that fails changes no state; it is tried again, and not lost.
  test('case N025: what is refused twice is marked, as it would have been told, with the name of the error', async () => {
    const { notify, waits, marks } = notifierOn(() => Promise.reject(refusal('ServiceUnavailable')));
    const change = success('a');
    await notify([change]);
    expect(waits).toEqual([500]);
    expect(marks).toEqual([
      {
        receiver: 'bus',
        fact: eventOf(change),
        since: T0,
        tries: 1,
        why: 'ServiceUnavailable',
        wake_at: T0 + 60_000,
      },
    ]);
  });

  test('case N025: a bus that refuses ten twice is not asked for the rest of the batch; those are due at once', async () => {
    let calls = 0;
    const { notify, marks } = notifierOn(() => {
      calls += 1;
      return Promise.reject(refusal('InternalFailure'));
    });
    await notify(many(50));
    expect(calls).toBe(2);
    expect(marks.map(({ tries, why, wake_at }) => [tries, why, wake_at - T0])).toEqual([
      ...Array.from({ length: 10 }, () => [1, 'InternalFailure', 60_000]),
      ...Array.from({ length: 40 }, () => [0, 'not tried', 0]),
    ]);
  });

  test('a bus that does not answer is not asked twice: others wait behind it', async () => {
    let calls = 0;
    const { notify, waits, marks } = notifierOn(() => {
      calls += 1;
      return Promise.reject(refusal('TimeoutError'));
    });
    await notify(many(20));
    expect([calls, waits, marks.length]).toEqual([1, [], 20]);
  });

  test('where ten are too much for the bus, each goes alone, and the one that is too much is marked', async () => {
    const { notify, marks } = notifierOn(async (events) => {
      if (events.some(({ task_id }) => task_id === 't3')) throw refusal('ValidationException');
      return [];
    });
    await notify(many(10));
    expect(marks).toMatchObject([{ fact: { task_id: 't3' }, tries: 1, why: 'ValidationException' }]);
  });

  test('a batch has one line with metrics; nothing in it, no line', async () => {
    const { notify, logged } = notifierOn(async (events) => [{ event: events[0]!, why: 'refused' }]);
    await notify([]);
    await notify([success('a'), success('b'), success('c')], 1);
    const isMetric = (line: unknown): boolean => '_aws' in (line as object);
    expect(logged.filter(isMetric)).toMatchObject([
      { message: 'notified', events: 3, alerts_sent: 2, alerts_put_off: 1, poison: 1 },
    ]);
  });

  test('when the table does not take the mark either, the batch is delivered again, and not counted', async () => {
    const { notify, logged } = notifierOn(
      async (events) => events.map((event) => ({ event, why: 'refused' })),
      () => Promise.reject(new Error('no table')),
    );
    await expect(notify([success('a')])).rejects.toThrow('no table');
    expect(logged.at(-1)).not.toHaveProperty('alerts_put_off');
  });
});
