import { expect, test } from '@jest/globals';
import { createStore } from '../../functions/store/create-store.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import { T0, aTask } from '../support/tasks.ts';
import { after } from './contract-setup.ts';

function lagging() {
  const clock = { now: T0 };
  let ids = 0;
  const table = createMemoryTable({ now: () => clock.now, indexLagMs: () => 5000 });
  return { clock, store: createStore({ table, newId: () => `op-${(ids += 1)}` }) };
}

test('a task that ended is a member until the index shows it; moving it again is refused', async () => {
  const { clock, store } = lagging();
  const task = aTask();
  const id = { queue: task.queue, mode: task.mode, hashcode: task.hashcode };
  await store.addTasks([task]);
  expect((await store.members(id)).tasks).toEqual([]);
  clock.now += 5000;
  const ended = after(task, { type: 'met' });
  await store.move(task, ended);
  const { tasks } = await store.members(id);
  expect(tasks).toEqual([task]);
  const late = tasks.map((seen) => ({ seen, next: after(seen, { type: 'timeout' }) }));
  expect(await store.moveMany(late)).toEqual([{ moved: false, current: ended }]);
  clock.now += 5000;
  expect((await store.members(id)).tasks).toEqual([]);
});

test('a listing shows no task in a state that it has left', async () => {
  const { clock, store } = lagging();
  const task = aTask();
  await store.addTasks([task]);
  clock.now += 5000;
  await store.move(task, after(task, { type: 'met' }));
  expect((await store.list({ queue: task.queue, state: 'sensing', limit: 5 })).tasks).toEqual([]);
  expect((await store.list({ queue: task.queue, state: 'success', limit: 5 })).tasks).toEqual([]);
  clock.now += 5000;
  expect((await store.list({ queue: task.queue, state: 'success', limit: 5 })).tasks).toHaveLength(1);
});
