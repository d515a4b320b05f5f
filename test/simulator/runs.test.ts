import { expect, test } from '@jest/globals';
import { DEFAULT_QUEUE } from '../../functions/core/queue.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import type { Fault } from '../../simulator/format.ts';
import { request } from '../../simulator/play.ts';
import { seeded } from '../../simulator/random.ts';
import { createStage } from '../../simulator/stage.ts';
import { T0 } from '../support/tasks.ts';

/** A queue of 20 runs at once, and a hundred tasks of one mode that come in five bursts. */
async function burst(mode: string, faults: readonly Fault[]) {
  const world = { s3: { 'b/k': [{ at: 100, present: true }] }, emr: {}, glue: {}, http: {}, events: [] };
  const stage = createStage({ start: T0, settings: DEFAULT_SETTINGS, world, faults, random: seeded(mode) });
  const narrow = { ...DEFAULT_QUEUE, worker_concurrency: 10, max_workers: 2 };
  await stage.store.saveQueue(undefined, { ...narrow, name: 'q', rev: 1, idle: false, active_at: T0 });
  const running = new Set<string>();
  let peak = 0;
  stage.onChange(({ key, new: item }) => {
    if (!key.startsWith('TASK#')) return;
    if (item?.['state'] === 'running') running.add(key);
    else running.delete(key);
    peak = Math.max(peak, running.size);
  });
  for (let at = 0; at < 5; at += 1) {
    const tasks = Array.from({ length: 20 }, (_, index) => ({
      id: `t-${at}-${index}`,
      queue: 'q',
      mode,
      sensor: { type: 's3_key', bucket: 'b', key: 'k' },
      poke_interval: 60,
      timeout: 3600,
    }));
    stage.time.at(T0 + at * 13_000, 'step', () => void request(stage, 'POST', '/v1/tasks', { tasks }));
  }
  await stage.time.runUntil(T0 + 1200 * 1000);
  const ids = Array.from({ length: 100 }, (_, index) => `t-${Math.floor(index / 20)}-${index % 20}`);
  const states = (await stage.store.tasks(ids)).map(({ state }) => state);
  return { peak, states, errors: stage.invocations.errors };
}

test.each([
  ['reschedule', 'nothing', []],
  ['poke', 'nothing', []],
  ['reschedule', 'an index that lags', [{ index_lag: 2, from: 0, to: 1200 }]],
  ['poke', 'an index that lags', [{ index_lag: 2, from: 0, to: 1200 }]],
  ['poke', 'a router that dies', [{ kill: 'router', at: 0, after_writes: 0 }]],
  ['reschedule', 'ticks that come twice', [60, 120, 180].map((at): Fault => ({ duplicate: 'dispatcher', at }))],
] satisfies [string, string, Fault[]][])(
  'mode %s keeps to its queue and ends everything, with %s',
  async (mode, _, faults) => {
    const { peak, states, errors } = await burst(mode, faults);
    expect(errors).toEqual([]);
    expect(peak).toBeGreaterThan(15);
    expect(peak).toBeLessThanOrEqual(20);
    expect(new Set(states)).toEqual(new Set(['success']));
  },
);
