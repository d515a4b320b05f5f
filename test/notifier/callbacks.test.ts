import { describe, expect, test } from '@jest/globals';
import { tokenDigest } from '../../functions/core/identity.ts';
import { transition } from '../../functions/core/states.ts';
import type { TaskEvent } from '../../functions/core/states.ts';
import type { ExecutionContext, Task } from '../../functions/core/task.ts';
import { callbacksOf, tell } from '../../functions/notifier/callbacks.ts';
import { createNotifier } from '../../functions/notifier/notifier.ts';
import type { Callbacks } from '../../functions/ports.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import type { StreamChange } from '../../functions/store/stream.ts';
import { aTask, T0 } from '../support/tasks.ts';

const TOKEN = 'AQCEAAAAKgAAAAMAAAAAAAAAAbearer';

function changeBy(before: Task, event: TaskEvent): StreamChange {
  const outcome = transition(before, event, { now: T0 + 5000, by: 'service' });
  if (outcome.kind !== 'moved') throw new Error('unchanged');
  return { before, after: outcome.task };
}

const waiting = (exec: Partial<ExecutionContext> = {}, id = 'a') => aTask(exec, { id, callback_tokens: [TOKEN] });

/** Executions that note what they are told; `fail` has the first so many calls throttled. */
function executions(fail = 0) {
  const calls: unknown[][] = [];
  let failing = fail;
  const send = async (...call: unknown[]) => {
    calls.push(call);
    failing -= 1;
    if (failing >= 0) throw Object.assign(new Error(`Rate exceeded for ${TOKEN}`), { name: 'ThrottlingException' });
    return 'told' as const;
  };
  const callbacks: Callbacks = {
    succeed: (token, output) => send('succeed', token, output),
    fail: (token, error, cause) => send('fail', token, error, cause),
  };
  return { callbacks, calls };
}

async function told(change: StreamChange): Promise<unknown[][]> {
  const { callbacks, calls } = executions();
  for (const callback of callbacksOf(change)) await tell(callbacks, callback);
  return calls;
}

describe('an execution is told of the end of its task', () => {
  const output = { id: 'a~1#success', task_id: 'a', try_number: 1, state: 'success', previous_state: 'sensing' };

  test('success, with the event and what the poke found, and without its token', async () => {
    const calls = await told(changeBy(waiting(), { type: 'met', value: { keys: ['k'] } }));
    expect(calls).toEqual([['succeed', TOKEN, expect.objectContaining({ ...output, result: { keys: ['k'] } })]]);
    expect(JSON.stringify(calls[0]?.[2])).not.toContain(TOKEN);
  });

  test('skipped is no failure', async () => {
    const calls = await told(changeBy(waiting({ soft_fail: true }), { type: 'timeout' }));
    expect(calls).toMatchObject([['succeed', TOKEN, { state: 'skipped', reason: 'timeout' }]]);
  });

  test('failed, with its reason as the cause, no longer than Step Functions takes', async () => {
    expect(await told(changeBy(waiting(), { type: 'failed', reason: 'ended in FAILED' }))).toEqual([
      ['fail', TOKEN, 'Sensorium.Failed', 'ended in FAILED'],
    ]);
    const [[, , , cause] = []] = await told(changeBy(waiting(), { type: 'failed', reason: `x${'😀'.repeat(20_000)}` }));
    expect(String(cause)).toHaveLength(32_768);
    expect(String(cause).isWellFormed()).toBe(true);
  });

  test('removed', async () => {
    expect(await told(changeBy(waiting(), { type: 'remove' }))).toEqual([
      ['fail', TOKEN, 'Sensorium.Removed', 'removed'],
    ]);
  });

  test('a result of as many bytes as Step Functions takes is told; with one more the end is told without it', async () => {
    const after = async (bytes: number) => {
      const [call] = await told(changeBy(waiting(), { type: 'met', value: 'x'.repeat(bytes) }));
      return JSON.stringify(call?.[2]);
    };
    const room = 262_144 - (await after(0)).length;
    expect(await after(room)).toHaveLength(262_144);
    expect(JSON.parse(await after(room + 1))).not.toHaveProperty('result');
  });

  test('a result that Step Functions would not take is left out', async () => {
    const calls = await told(changeBy(waiting(), { type: 'met', value: { keys: ['k'.repeat(300_000)] } }));
    expect(calls[0]?.[2]).toMatchObject(output);
    expect(calls[0]?.[2]).not.toHaveProperty('result');
  });

  test('a token that comes after the end is told at once; the next one too', async () => {
    const { after: ended } = changeBy(waiting(), { type: 'met' });
    const after = { ...ended!, rev: 9, callback_tokens: [TOKEN, 'another'] };
    expect(await told({ before: ended!, after })).toMatchObject([['succeed', 'another', output]]);
    const { callback_tokens: _, ...without } = ended!;
    expect(await told({ before: without, after })).toMatchObject([
      ['succeed', TOKEN, output],
      ['succeed', 'another', output],
    ]);
  });

  test('all that wait for it are', async () => {
    const before = { ...waiting(), callback_tokens: ['a', 'b', 'c'] };
    const calls = await told(changeBy(before, { type: 'met' }));
    expect(calls.map(([, token]) => token)).toEqual(['a', 'b', 'c']);
  });

  test('a clear, and another end: both ends are told', async () => {
    const failed = changeBy(waiting(), { type: 'failed', reason: 'x' });
    const again = changeBy(changeBy(failed.after!, { type: 'clear' }).after!, { type: 'met' });
    expect([await told(failed), await told(again)]).toMatchObject([
      [['fail', TOKEN, 'Sensorium.Failed', 'x']],
      [['succeed', TOKEN, { try_number: 2 }]],
    ]);
  });

  test.each<[string, StreamChange]>([
    ['a submit', { after: waiting() }],
    [
      'a try that failed and is followed by another',
      changeBy(waiting({ retries: 1 }), { type: 'failed', reason: 'x' }),
    ],
    ['a clear', changeBy({ ...waiting(), state: 'failed' }, { type: 'clear' })],
    [
      'another token of a task that still waits',
      { before: waiting(), after: { ...waiting(), callback_tokens: [TOKEN, 'b'] } },
    ],
    ['a removal by the TTL', { before: { ...waiting(), state: 'success' } }],
    ['a task that nobody waits for', changeBy(aTask(), { type: 'met' })],
    [
      'a write that is no transition',
      { before: { ...waiting(), state: 'failed' }, after: { ...waiting(), state: 'failed' } },
    ],
  ])('%s tells nobody', async (_, change) => {
    expect(await told(change)).toEqual([]);
  });
});

describe('delivery', () => {
  function notifierOn({ callbacks }: { readonly callbacks: Callbacks }) {
    const waits: number[] = [];
    const said: unknown[] = [];
    const notify = createNotifier({
      bus: {
        async publish(events) {
          said.push(...events);
          return [];
        },
      },
      callbacks,
      store: { addUntold: async (marks) => void said.push(...marks) },
      clock: {
        now: () => T0,
        async sleep(ms) {
          waits.push(ms);
        },
      },
      log: (line) => void said.push(line),
      settings: DEFAULT_SETTINGS,
    });
    return { notify, waits, said };
  }

  test('of many in one batch: each once', async () => {
    const outside = executions();
    const { notify, waits } = notifierOn(outside);
    await notify(Array.from({ length: 50 }, (_, index) => changeBy(waiting({}, `t${index}`), { type: 'met' })));
    expect(new Set(outside.calls.map(([, , output]) => (output as { task_id: string }).task_id)).size).toBe(50);
    expect(outside.calls).toHaveLength(50);
    expect(waits).toEqual([]);
  });

  test('what is throttled is told again after a while, alone', async () => {
    const outside = executions(2);
    const { notify, waits } = notifierOn(outside);
    await notify(['a', 'b', 'c'].map((id) => changeBy(waiting({}, id), { type: 'met' })));
    expect(outside.calls).toHaveLength(5);
    expect(waits).toEqual([500]);
  });

  test('case N025: what is not taken is marked with the digest of the token; nothing that is said or written holds it', async () => {
    const outside = executions(Infinity);
    const { notify, waits, said } = notifierOn(outside);
    await notify([changeBy(waiting({}, 'lost'), { type: 'met', value: { keys: ['k'] } })]);
    expect(waits).toEqual([500]);
    expect(said).toContainEqual({
      receiver: 'execution',
      fact: expect.objectContaining({ task_id: 'lost', try_number: 1, state: 'success' }),
      token: tokenDigest(TOKEN),
      result: { keys: ['k'] },
      since: T0,
      tries: 1,
      why: 'ThrottlingException',
      wake_at: T0 + 60_000,
    });
    // The event, the mark, a line about it and the line of the batch.
    expect(said).toHaveLength(4);
    expect(JSON.stringify(said)).not.toContain(TOKEN);
  });

  test('a bus that is down keeps no execution waiting, and what is lost then is delivered again', async () => {
    const outside = executions();
    const notify = createNotifier({
      bus: { publish: () => Promise.reject(new Error('down')) },
      callbacks: outside.callbacks,
      store: { addUntold: () => Promise.reject(new Error('no table')) },
      clock: { now: () => T0, sleep: async () => undefined },
      log: () => undefined,
      settings: DEFAULT_SETTINGS,
    });
    await expect(notify([changeBy(waiting(), { type: 'met' })])).rejects.toThrow('no table');
    expect(outside.calls).toHaveLength(1);
  });
});
