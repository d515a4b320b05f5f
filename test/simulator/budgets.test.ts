import { expect, test } from '@jest/globals';
import { playOut, times } from '../../bench/play-out.ts';
import { percentile } from '../../bench/statistics.ts';
import { DEFAULT_QUEUE } from '../../functions/core/queue.ts';
import type { Stage } from '../../simulator/stage.ts';

const TASKS = 10_000;
const INTERVAL = 60;
/** Twice what the waits need. */
const RATE = Math.ceil((2 * TASKS) / INTERVAL);

test('10,000 tasks of one queue in one second: no second has more calls than its budget, and pokes are in time', async () => {
  const pokes = new Map<string, number[]>();
  const lags: number[] = [];
  const watch = ({ onPoke, time, store }: Stage): void => {
    const start = time.now();
    onPoke(({ spec }) => {
      const key = String(spec['key']);
      pokes.set(key, [...(pokes.get(key) ?? []), (time.now() - start) / 1000]);
    });
    time.at(start, 'step', () => {
      void store.saveQueue(undefined, {
        ...DEFAULT_QUEUE,
        name: 'default',
        rev: 1,
        idle: false,
        active_at: start,
        budgets: { s3: RATE },
      });
    });
  };
  const { stage } = await playOut({
    submits: [
      {
        at: 0,
        tasks: times(TASKS, (n) => ({
          id: `t-${n}`,
          sensor: { type: 's3_key', bucket: 'landing', key: `part-${n}` },
          poke_interval: INTERVAL,
        })),
      },
    ],
    until: 6 * INTERVAL,
    watch,
    log: ({ poke_lag_ms }) => void (typeof poke_lag_ms === 'number' && lags.push(poke_lag_ms / 1000)),
  });
  expect(stage.ledger.peak('s3', 0)).toBeLessThanOrEqual(RATE);
  expect(pokes.size).toBe(TASKS);
  // The latest poke of each tick, after its due: all of them, and so 99 of 100.
  expect(lags.length).toBeGreaterThan(3);
  expect(Math.max(...lags)).toBeLessThanOrEqual(1.2 * INTERVAL);
  // From one poke of a tick to the next; a first poke comes before the first due.
  const gaps = [...pokes.values()].flatMap((at) => {
    const ticked = at.filter((second) => second >= INTERVAL);
    return ticked.slice(1).map((now, index) => now - (ticked[index] ?? 0));
  });
  expect(percentile(gaps, 0.99)).toBeLessThanOrEqual(1.2 * INTERVAL);
}, 120_000);
