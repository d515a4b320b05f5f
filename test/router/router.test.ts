import { describe, expect, test } from '@jest/globals';
import { createRouter } from '../../functions/router/router.ts';
import type { WorkerEvent } from '../../functions/shard-worker/events.ts';
import type { StreamChange } from '../../functions/store/stream.ts';
import { aTask } from '../support/tasks.ts';

async function routed(changes: readonly StreamChange[]): Promise<readonly WorkerEvent[]> {
  const invoked: WorkerEvent[] = [];
  const route = createRouter({
    workers: {
      async invoke(event) {
        invoked.push(event);
      },
    },
    deferral: {
      async invoke() {
        throw new Error('nothing of it is deferred');
      },
    },
    log: () => undefined,
  });
  await route(changes);
  return invoked;
}

const submitted = (id: string, first_poke?: boolean, hashcode = '42'): StreamChange => {
  return { after: aTask({}, { id, hashcode, ...(first_poke === undefined ? {} : { first_poke }) }) };
};

describe('the router', () => {
  test('hands on a new target once, with all of its tasks in the batch', async () => {
    expect(await routed([submitted('a'), submitted('b'), submitted('c', true)])).toEqual([
      {
        kind: 'first_pokes',
        targets: [{ queue: 'default', mode: 'smart', hashcode: '42', tasks: ['a', 'b', 'c'] }],
      },
    ]);
  });

  test('many targets of a batch are one invocation', async () => {
    const [event, ...more] = await routed([submitted('a', true, '1'), submitted('b', true, '2')]);
    expect(event).toMatchObject({ targets: [{ hashcode: '1' }, { hashcode: '2' }] });
    expect(more).toEqual([]);
  });

  test('a target whose first poke was claimed by another submit is left to its cadence', async () => {
    expect(await routed([submitted('a'), submitted('b')])).toEqual([]);
  });

  test('a try that a clear began is poked at once', async () => {
    const before = aTask({}, { state: 'failed' });
    expect(await routed([{ before, after: aTask({}, { try_number: 2, first_poke: true }) }])).toHaveLength(1);
  });

  test('a task that asks for a poke in the place of one that was not put is poked at once', async () => {
    expect(await routed([{ before: aTask(), after: aTask({}, { first_poke: true, rev: 2 }) }])).toHaveLength(1);
  });

  test.each([
    ['an end', { before: aTask(), after: aTask({}, { state: 'success', first_poke: true }) }],
    [
      'a write that begins no try',
      { before: aTask({}, { first_poke: true }), after: aTask({}, { first_poke: true, rev: 2 }) },
    ],
    ['a removal', { before: aTask() }],
  ] as const)('%s is nothing to poke', async (_name, change) => {
    expect(await routed([change])).toEqual([]);
  });

  test('an invocation stays small however many tasks there are', async () => {
    const changes = Array.from({ length: 30 }, (_, target) =>
      Array.from({ length: 100 }, (_, index) => submitted(`t${target}-${index}`, index === 99, String(target))),
    ).flat();
    const events = await routed(changes);
    expect(events).toHaveLength(3);
    for (const event of events) expect(JSON.stringify(event).length).toBeLessThan(200_000);
  });
});
