import { expect, test } from '@jest/globals';
import { DEFAULT_QUEUE } from '../../functions/core/queue.ts';
import { T0 } from '../support/tasks.ts';
import { bench, own } from './harness.ts';
import type { Bench } from './harness.ts';

const at = (second: number) => T0 + second * 1000;

const ONE_CALL = { calls: 1, everyMs: 1000, leadMs: 0, until: at(60) };

/** A rescheduled task of a queue that may ask S3 once a second. */
async function narrow(): Promise<Bench> {
  const one = await bench({ ...own('reschedule'), state: 'up_for_reschedule' });
  const queue = { ...DEFAULT_QUEUE, name: 'default', rev: 1, idle: false, active_at: T0, budgets: { s3: 1 } };
  await one.store.saveQueue(undefined, queue);
  return one;
}

test('a run makes the call that was booked for it when it may, and books no other', async () => {
  const one = await narrow();
  one.runAt(1, { booked: { budget: 's3', at: at(2) } });
  await one.time.runUntil(at(3));
  expect(one.heads).toEqual([2]);
  expect(await one.task()).toMatchObject({ state: 'up_for_reschedule', wake_at: at(60) });
  // Nobody has booked anything: whoever comes now has the first call.
  expect(await one.store.bookCalls('default', 's3', ONE_CALL, at(3))).toMatchObject({ begun: true, from: at(3) });
});

test('a run that comes too late for the call that was booked for it books another', async () => {
  const one = await narrow();
  await one.store.bookCalls('default', 's3', { ...ONE_CALL, calls: 5 }, at(0));
  one.runAt(3, { booked: { budget: 's3', at: at(2) } });
  await one.time.runUntil(at(9));
  expect(one.heads).toEqual([5]);
});

test('a run that finds no room in the budget has not poked: it is due again in the next tick', async () => {
  const one = await narrow();
  await one.store.bookCalls('default', 's3', { ...ONE_CALL, calls: 60 }, at(0));
  one.runAt(1);
  await one.time.runUntil(at(30));
  expect(one.heads).toEqual([]);
  const task = await one.task();
  expect(task).toMatchObject({ state: 'up_for_reschedule', wake_at: task.updated_at });
});
