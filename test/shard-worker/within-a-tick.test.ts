import { expect, test } from '@jest/globals';
import type { Store } from '../../functions/store/store.ts';
import { TableError } from '../../functions/store/table.ts';
import { headError } from '../sensors/fakes.ts';
import { T0 } from '../support/tasks.ts';
import { oneWait, TICK_END } from './one-wait.ts';

/** A tick over one waiting task, with what S3 says to each look. */
async function tickOver(looks: readonly number[], shards: readonly number[], change: (store: Store) => Partial<Store>) {
  let look = 0;
  const { time, store, waiting, tick } = await oneWait({
    interval: 10,
    head: () => headError(looks[look++] ?? 404),
    change,
  });
  time.at(T0, 'tick', () => void tick(shards));
  await time.runUntil(TICK_END);
  return { store, target: await store.target(waiting), looked: () => look };
}

test('each poke of a tick goes on from what the one before has written: a change is written once, an end of it too', async () => {
  const written: unknown[] = [];
  const { target } = await tickOver([503, 503, 503, 404, 404], [0], (store) => ({
    observe(id, what) {
      written.push([what.observation.kind, what.first_unknown_at]);
      return store.observe(id, what);
    },
  }));
  expect(written).toEqual([
    ['unknown', expect.any(Number)],
    ['not_met', null],
  ]);
  expect(target).not.toHaveProperty('first_unknown_at');
});

test('a shard whose lease cannot be taken holds no other up', async () => {
  const { looked } = await tickOver([], [1, 0], (store) => ({
    async takeLease(queue, shard, ...rest) {
      if (shard === 1) throw new TableError('throttled', { throttled: true });
      return store.takeLease(queue, shard, ...rest);
    },
  }));
  expect(looked()).toBeGreaterThan(0);
});

test('a dormant target that somebody else has changed meanwhile is still told of as dormant', async () => {
  const { store } = await tickOver([], [0], (whole) => ({
    async awake(...place) {
      const found = await whole.awake(...place);
      return { ...found, targets: found.targets.map((target) => ({ ...target, dormant: T0 })) };
    },
    wakeTarget: async () => false,
  }));
  expect((await store.shards('default'))[0]?.forecast).toMatchObject({ dormant: 1 });
});
