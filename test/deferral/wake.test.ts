import { describe, expect, test } from '@jest/globals';
import type { Store } from '../../functions/store/store.ts';
import { TableError } from '../../functions/store/table.ts';
import { MINUTE, setup } from './setup.ts';

/** A task whose target an execution waits for, a minute after its first poke. */
async function waiting(wrap?: (store: Store) => Store) {
  const all = setup(wrap);
  const task = await all.submit('a', { poke_interval: 600 });
  await all.start(task);
  all.at(all.now() + MINUTE);
  const wake = () => all.defer({ kind: 'wake', targets: [{ queue: 'default', hashcode: task.hashcode }] });
  const [name = ''] = all.running;
  return { ...all, task, name, wake };
}

describe('a wake', () => {
  test('pokes between two turns and writes nothing: the execution goes on as it would have', async () => {
    const { wake, target, task, pokes, started, stopped } = await waiting();
    const [before, made] = [await target(task), pokes()];
    await wake();
    expect(pokes()).toBe(made + 1);
    expect(await target(task)).toEqual(before);
    expect({ started: started.length, stopped }).toEqual({ started: 1, stopped: [] });
  });

  test('that sees the condition hold ends the waits, and stops the execution', async () => {
    const { wake, store, put, stopped, name, running } = await waiting();
    put('k');
    await wake();
    expect(await store.task('a')).toMatchObject({ state: 'success' });
    expect(stopped).toEqual([name]);
    expect(running.size).toBe(0);
  });

  test('of what nobody waits for any more, or that is not there, pokes nothing', async () => {
    const { defer, wake, put, pokes, stopped } = await waiting();
    put('k');
    await wake();
    const made = pokes();
    await wake();
    await defer({ kind: 'wake', targets: [{ queue: 'default', hashcode: '404' }] });
    expect(pokes()).toBe(made);
    expect(stopped).toHaveLength(1);
  });

  test('in a paused queue pokes nothing', async () => {
    const { wake, store, pokes } = await waiting();
    const queue = await store.queue('default');
    if (queue === undefined) throw new Error('there is no queue');
    await store.saveQueue(queue, { ...queue, paused: true, rev: queue.rev + 1 });
    const made = pokes();
    await wake();
    expect(pokes()).toBe(made);
  });

  test('whose tasks cannot be written leaves them to the execution', async () => {
    const { wake, target, task, put, stopped } = await waiting((store) => ({
      ...store,
      moveMany: async (moves) => moves.map(() => new TableError('busy')),
    }));
    put('k');
    await wake();
    expect(await target(task)).not.toHaveProperty('dormant');
    expect(stopped).toEqual([]);
  });
});
