/**
 * A shard worker in a process of its own, wired as its handler is, over the clients that it has on Lambda: the endpoints
 * in the environment are stubs. Between its ticks, if wanted, the same calls over the bare client.
 */
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import type { Clock } from '../../functions/ports.ts';
import { newOpId, realClock } from '../../functions/runtime/clock.ts';
import { openSensors } from '../../functions/runtime/sensors.ts';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import { openStore } from '../../functions/runtime/store.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import { createShardWorker } from '../../functions/shard-worker/worker.ts';
import type { WorkerChild, WorkerReport, WorkerRound } from '../worker-child.ts';

const { targets, ticks, bare } = JSON.parse(process.argv[2] ?? '') as WorkerChild;

/** As the worker has it: 32 calls in flight. */
const IN_FLIGHT = 32;

const TICK_MS = DEFAULT_SETTINGS.tick_seconds * 1000;

/** So much that next to no call waits for its instant. */
const PLENTY = { rate: 1e5, burst: 1e5 };

/**
 * A tick spreads its pokes over its minute. Here a minute is over as soon as they are made: who waits for an instant waits
 * until there is room for a poke, and then it is that instant. Only what bounds a call is real time.
 */
let now = realClock.now();
let inFlight = 0;
/** Who waits for room; also calls within a poke, which then leaves its place to another. */
const waiting: (() => void)[] = [];
const clock: Clock = {
  now: () => now,
  async sleep(ms, signal) {
    if (signal !== undefined) {
      await realClock.sleep(ms, signal);
      return;
    }
    // What was begun before makes its calls first: this comes when no promise is left to settle.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    if (inFlight - waiting.length >= IN_FLIGHT) await new Promise<void>((resolve) => waiting.push(resolve));
    now += ms;
  },
};

const opened = openSensors(DEFAULT_SETTINGS, ALL_OPEN);
const sensors: typeof opened = {
  ...opened,
  async poke(items, io) {
    inFlight += 1;
    const observations = await opened.poke(items, io);
    inFlight -= 1;
    waiting.shift()?.();
    return observations;
  },
};

let logged = 0;
let pokes = 0;

const work = createShardWorker({
  store: openStore('stub', DEFAULT_SETTINGS.shards),
  sensors,
  clock,
  newId: newOpId,
  log: (entry) => {
    logged += JSON.stringify(entry).length + 1;
    if (entry.message === 'tick') pokes += Number(entry['pokes']);
    else throw new Error(JSON.stringify(entry));
  },
  settings: DEFAULT_SETTINGS,
  runs: { invoke: () => Promise.reject(new Error('nothing is run here')) },
});

let nextTick = now;

async function tick(): Promise<void> {
  now = nextTick;
  nextTick += TICK_MS;
  const shards = Array.from({ length: DEFAULT_SETTINGS.shards }, (_, shard) => shard);
  await work({ kind: 'tick', queue: 'default', shards, to: nextTick, budgets: { s3: PLENTY } });
}

const client = new S3Client({ maxAttempts: 1, followRegionRedirects: false });
const limit = pLimit(IN_FLIGHT);

async function bareCalls(): Promise<void> {
  const keys = Array.from({ length: targets }, (_, n) => `part-${n}`);
  await limit.map(keys, async (Key) => {
    await client.send(new HeadObjectCommand({ Bucket: 'landing', Key })).catch(() => undefined);
  });
}

async function timed(kind: WorkerRound['kind'], run: () => Promise<void>): Promise<WorkerRound> {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  await run();
  const { user, system } = process.cpuUsage(cpu);
  return { kind, wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}

/** As CommonJS has no await at its top. */
async function main(): Promise<void> {
  const rounds: WorkerRound[] = [];
  for (let n = 0; n < ticks; n += 1) {
    if (bare) rounds.push(await timed('bare', bareCalls));
    rounds.push(await timed('worker', tick));
  }
  const report: WorkerReport = { rounds, pokes, logged, maxRss: process.resourceUsage().maxRSS * 1024 };
  console.log(JSON.stringify(report));
}

void main();
