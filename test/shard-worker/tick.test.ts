import { expect, test } from '@jest/globals';
import { identify } from '../../functions/core/identity.ts';
import { wantedTarget } from '../../functions/core/membership.ts';
import { awsCalls } from '../../functions/sensors/aws-calls.ts';
import { createSensors } from '../../functions/sensors/registry.ts';
import { runTick } from '../../functions/shard-worker/tick.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import { createStore } from '../../functions/store/create-store.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import { createVirtualTime } from '../../simulator/virtual-time.ts';
import { fakeSender, headError } from '../sensors/fakes.ts';
import { aTask, T0 } from '../support/tasks.ts';

test('a worker goes home once nobody waits on what it would poke again in its tick', async () => {
  const time = createVirtualTime(T0);
  let ids = 0;
  const newId = () => `id-${(ids += 1)}`;
  const store = createStore({ table: createMemoryTable({ now: () => time.now() }), newId });
  const task = aTask({ poke_interval: 5 });
  const { hashcode, full_hash } = identify(task.sensor);
  const waiting = { ...task, hashcode, shardcode: 0 };
  await store.join(wantedTarget([waiting], full_hash, T0), false);
  await store.addTasks([waiting]);
  // Not there at the first look, there at the second.
  let looks = 0;
  const s3 = fakeSender({
    HeadBucket: {},
    HeadObject: () => {
      looks += 1;
      return looks === 1 ? headError(404) : {};
    },
  });

  const deps = {
    store,
    sensors: createSensors(awsCalls({ s3, emr: fakeSender({}) })),
    clock: time.clock,
    newId,
    log: () => undefined,
    settings: DEFAULT_SETTINGS,
    runs: { invoke: () => Promise.resolve() },
  };
  async function tick(): Promise<number> {
    await runTick(deps, { kind: 'tick', queue: 'default', shards: [0], to: T0 + 60_000, budgets: {} });
    return time.now();
  }
  let gone: Promise<number> | undefined;
  time.at(T0, 'tick', () => {
    gone = tick();
  });
  await time.runUntil(T0 + 60_000);

  const ended = await store.task(task.id);
  expect(ended).toMatchObject({ state: 'success' });
  // It learns of the end while it waits for the due after it.
  expect((await gone)! - (ended?.ended_at ?? 0)).toBeLessThanOrEqual(5_000);
  expect(looks).toBe(2);
  const [shard] = await store.shards('default');
  expect(shard).toMatchObject({ ticked_through: T0 + 60_000, statistics: { pokes: 2, met: 1, ended: 1 } });
  expect(shard).not.toHaveProperty('lease_owner');
});
