import { expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import { seeded } from '../../simulator/random.ts';
import { apiEvent } from '../../simulator/requests.ts';
import { createStage } from '../../simulator/stage.ts';
import { T0 } from '../support/tasks.ts';

interface Line {
  readonly message: string;
  readonly _aws?: unknown;
  readonly [field: string]: unknown;
}

/** What a queue of its tasks says in its log until a second; the keys of the first half land at second 200. */
async function linesOf(tasks: number, until: number, faults: Parameters<typeof createStage>[0]['faults'] = []) {
  const lines: Line[] = [];
  const lands = (n: number): [string, { at: number; present: boolean }[]] => [
    `landing/k${n}`,
    [{ at: 200, present: true }],
  ];
  const s3 = Object.fromEntries(Array.from({ length: tasks / 4 }, (_, n) => lands(n)));
  const stage = createStage({
    start: T0,
    settings: DEFAULT_SETTINGS,
    world: { s3, emr: {}, glue: {}, http: {}, events: [] },
    faults,
    random: seeded('metrics'),
    log: (line) => void lines.push(line),
  });
  // Two tasks wait for each key.
  const body = Array.from({ length: tasks }, (_, n) => ({
    id: `t${n}`,
    sensor: { type: 's3_key', bucket: 'landing', key: `k${n % (tasks / 2)}` },
  }));
  stage.time.at(T0 + 1000, 'step', () => void stage.api(apiEvent('POST', '/v1/tasks', { tasks: body })!));
  await stage.time.runUntil(T0 + until * 1000);
  return { lines, dispatches: lines.filter(({ message }) => message === 'dispatch') };
}

const NO_MORE = [false, false, false, false];

const sum = (lines: readonly Line[], name: string): number =>
  lines.reduce((all, one) => all + Number(one[name] ?? 0), 0);

test('a tick of a queue is one line with metrics, and so is each batch of alerts; no poke has a line', async () => {
  const { lines, dispatches } = await linesOf(20, 400);
  expect(dispatches).toHaveLength(6);
  expect(lines.filter((line) => '_aws' in line).every(({ message }) => message !== 'tick')).toBe(true);
  expect(dispatches.at(3)).toMatchObject({ queue: 'default', waiting: 10, workers_wanted: 1, workers_running: 1 });
  // Nobody died and nothing was short: what has just joined waits for its first tick, and nothing else is late.
  for (const { oldest_due_ms } of dispatches) expect(Number(oldest_due_ms)).toBeLessThan(5000);
  expect(dispatches.map(({ poke_lag_ms = 0 }) => Number(poke_lag_ms) > 5000)).toEqual([false, true, ...NO_MORE]);
  expect(sum(dispatches, 'met')).toBe(5);
  // A call a poke, and one for the bucket; the other task of each key that landed was told for nothing.
  expect(sum(dispatches, 'calls')).toBe(sum(dispatches, 'pokes') + 1);
  expect(sum(dispatches, 'calls_saved')).toBe(5);
  expect(sum(lines, 'alerts_sent')).toBe(10);
  expect(sum(lines, 'alerts_put_off')).toBe(0);
});

test('while no worker comes to its end, what is due grows older, and is late when one does', async () => {
  const { dispatches } = await linesOf(20, 600, [
    { from: 100, to: 310, service: 'lambda', operation: 'Invoke', error: 'down' },
  ]);
  const oldest = dispatches.map(({ oldest_due_ms }) => Number(oldest_due_ms));
  expect(Math.max(...oldest)).toBeGreaterThan(120_000);
  expect(oldest.at(-1)).toBeLessThan(5000);
  const lags = dispatches.map(({ poke_lag_ms = 0 }) => Number(poke_lag_ms));
  expect(Math.max(...lags)).toBeGreaterThan(120_000);
  expect(dispatches.some(({ workers_wanted, workers_running }) => workers_wanted === 1 && workers_running === 0)).toBe(
    true,
  );
});
