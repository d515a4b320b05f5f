import { describe, expect, test } from '@jest/globals';
import { transition } from '../../functions/core/states.ts';
import type { TaskEvent } from '../../functions/core/states.ts';
import type { Task } from '../../functions/core/task.ts';
import { callbacksOf } from '../../functions/notifier/callbacks.ts';
import { eventOf } from '../../functions/notifier/event.ts';
import { createNotifier } from '../../functions/notifier/notifier.ts';
import type { Bus, DeadLetter } from '../../functions/notifier/notifier.ts';
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
function notifierOn(publish: Bus['publish']) {
  const waits: number[] = [];
  const dead: DeadLetter[] = [];
  const logged: unknown[] = [];
  const notify = createNotifier({
    bus: { publish },
    callbacks: nobodyWaits,
    deadLetters: {
      async send(letter) {
        dead.push(letter);
      },
    },
    clock: {
      now: () => T0,
      async sleep(ms) {
        waits.push(ms);
      },
    },
    log: (line) => void logged.push(line),
    settings: DEFAULT_SETTINGS,
  });
  return { notify, waits, dead, logged };
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
  test('goes out ten a call', async () => {
    const sizes: number[] = [];
    const { notify, dead } = notifierOn(async (events) => {
      sizes.push(events.length);
      return [];
    });
    await notify(Array.from({ length: 25 }, (_, index) => success(`t${index}`)));
    expect(sizes).toEqual([10, 10, 5]);
    expect(dead).toEqual([]);
  });

  test('an entry that is refused is tried again alone, the others are not', async () => {
    const calls: string[][] = [];
    const { notify, dead } = notifierOn(async (events) => {
      calls.push(events.map(({ task_id }) => task_id));
      return calls.length === 1
        ? events.filter(({ task_id }) => task_id === 'b').map((event) => ({ event, why: 'busy' }))
        : [];
    });
    await notify([success('a'), success('b'), success('c')]);
    expect(calls).toEqual([['a', 'b', 'c'], ['b']]);
    expect(dead).toEqual([]);
  });

  // Case 86: an alert that fails changes no state; it is tried again, and not lost.
  test('what cannot be delivered goes to the dead letters with its reason, after waits that grow', async () => {
    const { notify, waits, dead } = notifierOn(async () => {
      throw new Error('the bus is down');
    });
    await notify([success('a')]);
    expect(waits).toEqual([200, 1000, 3000]);
    expect(dead).toMatchObject([{ event: { id: 'a~1#success' }, why: 'Error: the bus is down' }]);
  });

  test('a batch has one line, with what was sent and what was not; nothing in it, no line', async () => {
    const { notify, logged } = notifierOn(async (events) => [{ event: events[0]!, why: 'refused' }]);
    await notify([]);
    await notify([success('a'), success('b'), success('c')], 1);
    const isMetric = (line: unknown): boolean => '_aws' in (line as object);
    expect(logged.filter(isMetric)).toMatchObject([
      { message: 'notified', events: 3, alerts_sent: 2, undeliverable: 1, poison: 1 },
    ]);
  });

  test('when not even the dead letters take it, the batch is delivered again', async () => {
    const notify = createNotifier({
      bus: { publish: async (events) => events.map((event) => ({ event, why: 'refused' })) },
      callbacks: nobodyWaits,
      deadLetters: { send: () => Promise.reject(new Error('no queue')) },
      clock: { now: () => T0, sleep: async () => undefined },
      log: () => undefined,
      settings: DEFAULT_SETTINGS,
    });
    await expect(notify([success('a')])).rejects.toThrow('no queue');
  });
});
