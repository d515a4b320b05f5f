import { identify } from '../../functions/core/identity.ts';
import { wantedTarget } from '../../functions/core/membership.ts';
import { awsCalls } from '../../functions/sensors/aws-calls.ts';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import { createSensors } from '../../functions/sensors/registry.ts';
import { runTick } from '../../functions/shard-worker/tick.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import { createStore } from '../../functions/store/create-store.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import type { Store } from '../../functions/store/store.ts';
import { createVirtualTime } from '../../simulator/virtual-time.ts';
import { fakeSender } from '../sensors/fakes.ts';
import { aTask, T0 } from '../support/tasks.ts';

/** The end of the tick that `tick` plays. */
export const TICK_END = T0 + 60_000;

export interface OneWait {
  /** Seconds. */
  readonly interval: number;
  /** What S3 says to each look; throws what it fails with. */
  readonly head: () => object;
  readonly change?: (store: Store) => Partial<Store>;
}

/** One waiting task in the first shard of a queue, on virtual time, and a worker for ticks over it. */
export async function oneWait({ interval, head, change = () => ({}) }: OneWait) {
  const time = createVirtualTime(T0);
  let ids = 0;
  const newId = () => `id-${(ids += 1)}`;
  const whole = createStore({ table: createMemoryTable({ now: () => time.now() }), newId });
  const store = { ...whole, ...change(whole) };
  const task = aTask({ poke_interval: interval });
  const { hashcode, full_hash } = identify(task.sensor);
  const waiting = { ...task, hashcode, shardcode: 0 };
  await store.join(wantedTarget([waiting], full_hash, T0), false);
  await store.addTasks([waiting]);
  const s3 = fakeSender({ HeadBucket: {}, HeadObject: head });
  /** The signals of sleeps that can be called off. */
  const watches: AbortSignal[] = [];
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    if (signal !== undefined) watches.push(signal);
    return time.clock.sleep(ms, signal);
  };
  const deps = {
    store,
    sensors: createSensors(awsCalls({ s3, emr: fakeSender({}) }), ALL_OPEN),
    clock: { now: () => time.now(), sleep },
    newId,
    log: () => undefined,
    settings: DEFAULT_SETTINGS,
    runs: { invoke: () => Promise.resolve() },
  };
  /** @returns when the worker has gone home. */
  async function tick(shards: readonly number[]): Promise<number> {
    await runTick(deps, { kind: 'tick', queue: 'default', shards: [...shards], to: TICK_END, budgets: {} });
    return time.now();
  }
  return { time, store, waiting, tick, watches };
}
