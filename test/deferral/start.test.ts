import { describe, expect, test } from '@jest/globals';
import { executionName } from '../../functions/deferral/execution.ts';
import { dueAfter, MINUTE, setup, wholeSecond } from './setup.ts';
import { T0 } from '../support/tasks.ts';

describe('a start', () => {
  test('of a new target pokes it and has an execution wait for its next due', async () => {
    const { submit, start, started, target, pokes } = setup();
    const task = await submit('a');
    await start(task);
    const begun = await target(task);
    expect(begun).toMatchObject({ generation: T0, hop: 0, known: { poke_interval: 60 } });
    expect(pokes()).toBe(1);
    const at = wholeSecond(dueAfter(task, T0));
    const input = { kind: 'poke', queue: 'default', hashcode: task.hashcode, generation: T0, hop: 0, pokes: 0, at };
    expect(started).toEqual([{ name: executionName(begun), input: { ...input, began_at: T0, looked_at: T0 } }]);
  });

  test('of a condition that holds enters Step Functions never', async () => {
    const { submit, start, started, target, store, put } = setup();
    put('k');
    const task = await submit('a');
    await start(task);
    expect(started).toEqual([]);
    expect(await store.task('a')).toMatchObject({ state: 'success' });
    expect(await target(task)).toMatchObject({ dormant: T0 });
  });

  test('that comes twice pokes once, and names the same execution', async () => {
    const { submit, start, started, pokes } = setup();
    const task = await submit('a');
    await Promise.all([start(task), start(task)]);
    await start(task);
    expect(pokes()).toBe(1);
    expect(new Set(started.map(({ name }) => name)).size).toBe(1);
  });

  test('is delivered again where it could not be made, and made then', async () => {
    const { submit, start, started, trouble, pokes } = setup();
    const task = await submit('a');
    trouble.start = true;
    await expect(start(task)).rejects.toThrow('1 of 1 targets were not started');
    trouble.start = false;
    await start(task);
    expect([started.length, pokes()]).toEqual([1, 1]);
  });

  test('of who needs nothing earlier is only a poke', async () => {
    const { submit, start, started, at, target, pokes } = setup();
    const task = await submit('a', { poke_interval: 600 });
    await start(task);
    at(T0 + 5 * MINUTE);
    await start(await submit('b', { poke_interval: 3600, timeout: 90_000 }));
    await start(await submit('c', { poke_interval: 600 }), false);
    expect(new Set(started.map(({ name }) => name)).size).toBe(1);
    expect(pokes()).toBe(2);
    expect(await target(task)).toMatchObject({ generation: T0, poke_interval: 600 });
  });

  test('of who needs an earlier poke is a new generation', async () => {
    const { submit, start, started, at, target } = setup();
    const task = await submit('a', { poke_interval: 3600, timeout: 90_000 });
    await start(task);
    at(T0 + 5000);
    await start(await submit('b', { poke_interval: 10, timeout: 90_000 }), false);
    expect(await target(task)).toMatchObject({ generation: T0 + 5000, known: { poke_interval: 10 } });
    expect(started.map(({ input }) => input.generation)).toEqual([T0, T0 + 5000]);
  });

  test('finds a task whose target fell asleep before the index showed it', async () => {
    const { submit, start, started, store, target, at } = setup();
    const task = await submit('a');
    await store.goDormant(await target(task), T0 + 1);
    at(T0 + 100);
    await start(task, false);
    expect(await target(task)).not.toHaveProperty('dormant');
    expect(started).toHaveLength(1);
  });

  test('of a task that has ended meanwhile is nothing', async () => {
    const { submit, start, started, store, target, put } = setup();
    put('k');
    const task = await submit('a');
    await start(task);
    await start(task);
    await store.deleteTarget(await target(task));
    await start(task);
    expect(started).toEqual([]);
  });

  test('in a paused queue waits without a poke', async () => {
    const { submit, start, started, store, pokes } = setup();
    const task = await submit('a');
    const queue = (await store.queue('default'))!;
    await store.saveQueue(queue, { ...queue, rev: queue.rev + 1, paused: true });
    await start(task);
    expect([started.length, pokes()]).toEqual([1, 0]);
  });
});
