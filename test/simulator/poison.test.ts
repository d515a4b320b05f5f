import { expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import { taskKey } from '../../functions/store/keys.ts';
import type { Item, Table, Value } from '../../functions/store/table.ts';
import { percentile } from '../../bench/statistics.ts';
import { request } from '../../simulator/play.ts';
import { seeded } from '../../simulator/random.ts';
import { createStage } from '../../simulator/stage.ts';
import { T0 } from '../support/tasks.ts';

const TASKS = 10_000;
/** Of each half. */
const KEYS = 500;
/** One in a hundred of each kind. */
const EVERY = 100;
const TOGETHER = 500;

/** The early half and the late one wait for keys of their own: who joins a target that is poison makes it whole again. */
const partOf = (n: number) => `part-${n < TASKS / 2 ? n % KEYS : KEYS + (n % KEYS)}`;

/** The second half comes at this second. */
const LATE = 200;

/** One by one, some before their tasks come. */
const landsAt = (n: number) => 150 + ((n % KEYS) % 100);

/** Attributes of what no longer can be read: of a wrong type, of no meaning, or simply not there. */
const BROKEN: readonly Readonly<Record<string, Value>>[] = [
  { rev: 'seven' },
  { sensor: 42 },
  { state: 'asleep', mode: 'sideways', code: 'x' },
  { exec: null, poke_interval: [] },
  { history: 'none', joined_at: 'yesterday' },
];
const brokenBy = (n: number) => BROKEN[(n / EVERY) % BROKEN.length] ?? {};

/** New tasks of which one in a hundred reaches the table, and so the stream, as nobody can read it. */
function breakingInserts(table: Table): Table {
  const broken = (item: Item): Item => {
    const n = Number(/^TASK#late-(\d+)$/.exec(item.pk)?.[1] ?? 1);
    return n % EVERY === 0 ? { ...item, ...brokenBy(n) } : item;
  };
  return { ...table, insertMany: (items) => table.insertMany(items.map(broken)) };
}

/** The tasks come in two halves; keys land one by one from the third minute on. @returns when each ended, by its id */
async function run(poisoned: boolean) {
  const s3 = Object.fromEntries(
    Array.from({ length: 2 * KEYS }, (_, n) => [`landing/part-${n}`, [{ at: landsAt(n), present: true }]]),
  );
  const stage = createStage({
    start: T0,
    settings: DEFAULT_SETTINGS,
    world: { s3, emr: {}, glue: {}, http: {}, events: [] },
    faults: [],
    random: seeded('poison'),
    ...(poisoned ? { rig: { table: breakingInserts } } : {}),
  });
  const ended = new Map<string, number>();
  const targets = new Set<string>();
  stage.onChange(({ key, new: item }) => {
    if (key.startsWith('TARGET#')) targets.add(key);
    const at = item?.['ended_at'];
    if (item?.['state'] === 'success' && typeof at === 'number') ended.set(item.pk, at);
  });
  const submit = (from: number, name: string): void => {
    const tasks = Array.from({ length: TOGETHER }, (_, n) => ({
      id: `${name}-${from + n}`,
      sensor: { type: 's3_key', bucket: 'landing', key: partOf(from + n) },
    }));
    void request(stage, 'POST', '/v1/tasks', { tasks });
  };
  for (let from = 0; from < TASKS; from += TOGETHER) {
    // The second half arrives while keys land: what is poked at once comes from the stream.
    const late = from >= TASKS / 2;
    stage.time.at(T0 + (late ? LATE * 1000 : 0), 'step', () => submit(from, late ? 'late' : 'early'));
  }
  if (poisoned) {
    stage.time.at(T0 + 90_000, 'step', () => {
      for (let n = 0; n < TASKS / 2; n += EVERY)
        void stage.table.update({ key: taskKey(`early-${n}`), change: { set: brokenBy(n) } });
      [...targets].forEach((key, n) => {
        if (n % EVERY === 50) void stage.table.update({ key, change: { set: brokenBy(n - 50) } });
      });
    });
  }
  await stage.time.runUntil(T0 + 330_000);
  expect(stage.invocations.errors).toEqual([]);
  return ended;
}

/** @returns how long after its key landed, or after it was submitted, each ended; seconds */
function delaysOf(ends: ReadonlyMap<string, number>, left: readonly string[]): number[] {
  const isLeft = new Set(left);
  return [...ends].flatMap(([pk, at]) => {
    const n = Number(pk.split('-')[1]);
    const since = Math.max(landsAt(n), n < TASKS / 2 ? 0 : LATE);
    return isLeft.has(pk) ? [] : [(at - T0) / 1000 - since];
  });
}

test('case 35: one in a hundred of 10,000 tasks, targets and stream records is poison, and nobody else ends later', async () => {
  const clean = await run(false);
  const poisoned = await run(true);
  expect(clean.size).toBe(TASKS);
  // Who is poison itself, or waits on a target that is: nobody else.
  const lost = [...clean.keys()].filter((pk) => !poisoned.has(pk));
  expect(lost.length).toBeGreaterThan(TASKS / EVERY);
  expect(lost.length).toBeLessThanOrEqual((TASKS / EVERY) * 2);
  // A poke that falls on the instant of a landing sees it or not: the delays are compared, not each task's.
  const [poisonedDelays, cleanDelays] = [poisoned, clean].map((ends) => delaysOf(ends, lost));
  for (const share of [0.5, 0.9, 0.99, 1]) {
    expect(percentile(poisonedDelays ?? [], share)).toBeLessThanOrEqual(percentile(cleanDelays ?? [], share) + 1);
  }
}, 300_000);
