import { describe, expect, test } from '@jest/globals';
import { tokenDigest } from '../../functions/core/identity.ts';
import type { Task } from '../../functions/core/task.ts';
import type { Receiver, Untold } from '../../functions/core/untold.ts';
import { detailOf } from '../../functions/notifier/event.ts';
import { createRetell } from '../../functions/notifier/retell.ts';
import type { Bus } from '../../functions/notifier/receivers.ts';
import type { Callbacks } from '../../functions/ports.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import { createStore } from '../../functions/store/create-store.ts';
import { taskKey, untoldKey, untoldPartition } from '../../functions/store/keys.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import { taskItem } from '../../functions/store/task-item.ts';
import { aTask, T0 } from '../support/tasks.ts';

const MINUTE = 60_000;

const ended = (id: string, fields: Partial<Task> = {}): Task => {
  return aTask({}, { id, state: 'success', callback_tokens: [`token-of-${id}`], ...fields });
};

/** A mark that is due, of a task that has ended. */
function markOf(task: Task, receiver: Receiver, fields: Partial<Untold> = {}): Untold {
  const of = receiver === 'bus' ? {} : { token: tokenDigest(`token-of-${task.id}`) };
  const fact = detailOf(task, 'sensing');
  return { receiver, fact, ...of, since: T0 - MINUTE, tries: 1, why: 'Down', wake_at: T0, ...fields };
}

const refusal = (name: string) => Object.assign(new Error('not to be shown'), { name });

/** A retelling of these marks; a call takes so long, and what is told or refused is noted. */
async function aRetell({
  marks = [] as readonly Untold[],
  tasks = [] as readonly Task[],
  bus = (async () => []) as Bus['publish'],
  tells = (async () => 'told') as (...call: unknown[]) => Promise<'told' | 'over'>,
  callMs = 0,
}) {
  let now = T0;
  let ids = 0;
  const lines: object[] = [];
  const table = createMemoryTable({ now: () => now });
  const store = createStore({ table, newId: () => `op-${(ids += 1)}` });
  await store.addTasks(tasks);
  await store.addUntold(marks);
  const calls: unknown[][] = [];
  const call = async (...made: unknown[]) => {
    calls.push(made);
    now += callMs;
    return tells(...made);
  };
  const callbacks: Callbacks = {
    succeed: (token, output) => call('succeed', token, output),
    fail: (token, error, cause) => call('fail', token, error, cause),
  };
  const events: string[][] = [];
  const retell = createRetell({
    store,
    callbacks,
    bus: {
      publish(facts) {
        events.push(facts.map(({ task_id }) => task_id));
        now += callMs;
        return bus(facts);
      },
    },
    clock: { now: () => now, sleep: async () => undefined },
    log: (line) => void lines.push(line),
    settings: DEFAULT_SETTINGS,
  });
  const left = async (receiver: Receiver) => (await store.untold(receiver, { limit: 1000 })).marks;
  return { run: () => retell({ kind: 'retell' }), store, table, events, calls, lines, left };
}

describe('case N025: who is untold is told again', () => {
  test('the bus of what was to be told, to the letter, and the mark is gone; what is not due is left', async () => {
    const due = markOf(ended('a'), 'bus');
    const later = markOf(ended('b'), 'bus', { wake_at: T0 + 1 });
    let told: unknown;
    const { run, left, lines } = await aRetell({
      marks: [due, later],
      bus: async (facts) => {
        told = facts;
        return [];
      },
    });
    await run();
    expect(told).toEqual([due.fact]);
    expect(await left('bus')).toEqual([later]);
    expect(lines).toMatchObject([{ message: 'told again', alerts_sent: 1 }]);
  });

  test('an execution with the token from the record of its task, and what the poke found', async () => {
    const task = ended('a', { result: { keys: ['of another end'] } });
    const { run, calls, left } = await aRetell({
      tasks: [task],
      marks: [markOf(task, 'execution', { result: { keys: ['k'] } })],
    });
    await run();
    expect(calls).toEqual([['succeed', 'token-of-a', { ...detailOf(task, 'sensing'), result: { keys: ['k'] } }]]);
    expect(await left('execution')).toEqual([]);
  });

  test('of the end that it was not told of, though the task was cleared since', async () => {
    const task = ended('a');
    const cleared = { ...task, state: 'sensing' as const, try_number: 2 };
    const { run, calls } = await aRetell({ tasks: [cleared], marks: [markOf(task, 'execution')] });
    await run();
    expect(calls).toMatchObject([['succeed', 'token-of-a', { id: 'a~1#success' }]]);
  });

  test.each([
    ['the execution waits no longer', [ended('a')], 'over'],
    ['the task has forgotten its token', [ended('a', { callback_tokens: ['another'] })], 'told'],
    ['the task is gone', [], 'told'],
  ] as const)('it ends where %s', async (_, tasks, answer) => {
    const { run, left } = await aRetell({ tasks, marks: [markOf(ended('a'), 'execution')], tells: async () => answer });
    await run();
    expect(await left('execution')).toEqual([]);
  });

  test('what is refused once more waits for longer, with the name of its error; nothing shows a token', async () => {
    const { run, left, lines } = await aRetell({
      tasks: [ended('a')],
      marks: [markOf(ended('a'), 'execution', { tries: 3 }), markOf(ended('a'), 'bus')],
      tells: () => Promise.reject(refusal('AccessDeniedException')),
      bus: async (facts) => facts.map((event) => ({ event, why: 'ThrottlingException' })),
    });
    await run();
    expect(await left('execution')).toMatchObject([
      { tries: 4, why: 'AccessDeniedException', wake_at: T0 + 8 * MINUTE, since: T0 - MINUTE },
    ]);
    expect(await left('bus')).toMatchObject([{ tries: 2, why: 'ThrottlingException', wake_at: T0 + 2 * MINUTE }]);
    expect(JSON.stringify([lines, await left('execution')])).not.toMatch(/token-of|not to be shown/);
  });

  test('an output that is refused for what it says is told without what the poke found', async () => {
    const task = ended('a');
    const { run, calls } = await aRetell({
      tasks: [task],
      marks: [markOf(task, 'execution', { why: 'InvalidOutput', result: { keys: ['k'] } })],
    });
    await run();
    expect(calls[0]?.[2]).toMatchObject({ id: 'a~1#success' });
    expect(calls[0]?.[2]).not.toHaveProperty('result');
  });

  test('a receiver that refuses three pieces in a row is left alone; the other one is not, and untried marks stay due', async () => {
    const tasks = Array.from({ length: 250 }, (_, index) => ended(`t${index}`));
    const marks = tasks.flatMap((task) => [markOf(task, 'bus'), markOf(task, 'execution')]);
    const { run, calls, events, left } = await aRetell({ tasks, marks, bus: () => Promise.reject(refusal('Down')) });
    await run();
    expect(events).toHaveLength(3);
    const open = await left('bus');
    expect([open.length, open.filter(({ wake_at }) => wake_at === T0).length]).toEqual([250, 220]);
    expect(calls).toHaveLength(250);
    expect(await left('execution')).toEqual([]);
  });

  test('it ends before the next one begins, and what it did not come to stays due', async () => {
    const marks = Array.from({ length: 300 }, (_, index) => markOf(ended(`t${index}`), 'bus'));
    const { run, events, left } = await aRetell({ marks, callMs: 3000 });
    await run();
    expect(events).toHaveLength(15);
    expect((await left('bus')).every(({ wake_at, tries }) => wake_at === T0 && tries === 1)).toBe(true);
    expect(await left('bus')).toHaveLength(150);
  });

  test('a mark that cannot be read is put aside and counted; a task that cannot be is no reason to forget its mark', async () => {
    const { run, table, left, lines } = await aRetell({ marks: [markOf(ended('b'), 'execution')] });
    const set = { shardcode: untoldPartition('bus'), wake_at: 1 };
    await table.update({ key: untoldKey('bus', 'x~1#success'), change: { set } });
    const { pk: _, ...item } = taskItem(ended('b'));
    await table.update({ key: taskKey('b'), change: { set: { ...item, state: 'unheard of' } } });
    await run();
    expect(await table.get(untoldKey('bus', 'x~1#success'))).not.toHaveProperty('shardcode');
    expect(await left('execution')).toMatchObject([{ tries: 2, why: 'PoisonError' }]);
    expect(lines.at(-1)).toMatchObject({ poison: 1, alerts_put_off: 1 });
  });

  test('it takes no other event', async () => {
    const { run } = await aRetell({});
    await expect(run()).resolves.toBeUndefined();
    const retell = createRetell({} as Parameters<typeof createRetell>[0]);
    await expect(retell({ kind: 'retell', of: 'a' })).rejects.toThrow('unrecognized_keys');
  });
});
