import { expect, test } from '@jest/globals';
import { newOpId, newTaskId, realClock, realRandom } from '../../functions/runtime/clock.ts';

test('a sleep ends when its signal aborts, and never rejects', async () => {
  const timer = new AbortController();
  const asleep = realClock.sleep(60_000, timer.signal);
  timer.abort();
  await expect(asleep).resolves.toBeUndefined();
  await expect(realClock.sleep(60_000, timer.signal)).resolves.toBeUndefined();
});

test('ids of tasks are UUIDv7 in the order of their time; ids of writes are unique', () => {
  const ids = Array.from({ length: 100 }, newTaskId);
  expect(ids).toEqual(ids.toSorted());
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(Array.from({ length: 100 }, newOpId)).size).toBe(100);
  expect(realRandom()).toBeLessThan(1);
});
