import { expect, test } from '@jest/globals';
import { identify } from '../../functions/core/identity.ts';
import { wantedTarget } from '../../functions/core/membership.ts';
import { awsCalls } from '../../functions/sensors/aws-calls.ts';
import { createSensors } from '../../functions/sensors/registry.ts';
import { runTick } from '../../functions/shard-worker/tick.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import { createStore } from '../../functions/store/create-store.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import type { Store } from '../../functions/store/store.ts';
import { TableError } from '../../functions/store/table.ts';
import { createVirtualTime } from '../../simulator/virtual-time.ts';
import { fakeSender, headError } from '../sensors/fakes.ts';
import { aTask, T0 } from '../support/tasks.ts';

/** A tick over one waiting task, with what S3 says to each look. */
async function tickOver(looks: readonly number[], shards: readonly number[], change: (store: Store) => Partial<Store>) {
  const time = createVirtualTime(T0);
  let ids = 0;
  const newId = () => `id-${(ids += 1)}`;
  const whole = createStore({ table: createMemoryTable({ now: () => time.now() }), newId });
  const store = { ...whole, ...change(whole) };
  const task = aTask({ poke_interval: 10 });
  const { hashcode, full_hash } = identify(task.sensor);
  const waiting = { ...task, hashcode, shardcode: 0 };
  await store.join(wantedTarget([waiting], full_hash, T0), false);
  await store.addTasks([waiting]);
  let look = 0;
  const s3 = fakeSender({ HeadBucket: {}, HeadObject: () => headError(looks[look++] ?? 404) });
  const deps = {
    store,
    sensors: createSensors(awsCalls({ s3, emr: fakeSender({}) })),
    clock: time.clock,
    newId,
    log: () => undefined,
    settings: DEFAULT_SETTINGS,
    runs: { invoke: () => Promise.resolve() },
  };
  time.at(T0, 'tick', () => {
    void runTick(deps, { kind: 'tick', queue: 'default', shards: [...shards], to: T0 + 60_000, budgets: {} });
  });
  await time.runUntil(T0 + 60_000);
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
