import { expect, test } from '@jest/globals';
import { headError } from '../sensors/fakes.ts';
import { T0 } from '../support/tasks.ts';
import { oneWait, TICK_END } from './one-wait.ts';

test('a worker goes home once nobody waits on what it would poke again in its tick', async () => {
  // Not there at the first look, there at the second.
  let looks = 0;
  const { time, store, waiting, tick } = await oneWait({
    interval: 5,
    head: () => {
      looks += 1;
      return looks === 1 ? headError(404) : {};
    },
  });
  let gone: Promise<number> | undefined;
  time.at(T0, 'tick', () => {
    gone = tick([0]);
  });
  await time.runUntil(TICK_END);

  const ended = await store.task(waiting.id);
  expect(ended).toMatchObject({ state: 'success' });
  // It learns of the end while it waits for the due after it.
  expect((await gone)! - (ended?.ended_at ?? 0)).toBeLessThanOrEqual(5_000);
  expect(looks).toBe(2);
  const [shard] = await store.shards('default');
  expect(shard).toMatchObject({ ticked_through: TICK_END, statistics: { pokes: 2, met: 1, ended: 1 } });
  expect(shard).not.toHaveProperty('lease_owner');
});

test('a worker that goes home leaves no watch over its calls behind', async () => {
  const { time, tick, watches } = await oneWait({
    interval: 60,
    head: () => {
      throw headError(404);
    },
  });
  time.at(T0, 'tick', () => void tick([0]));
  await time.runUntil(TICK_END);
  expect(watches.map(({ aborted }) => aborted)).toEqual([true]);
});
