/** What a queue's workers have to do in a tick: their own forecasts, and what was added since. */
import { GRACE_MS } from '../core/membership.ts';
import type { QueueRecord, ShardRecord } from '../core/queue.ts';
import { codesOf } from '../core/ranges.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Counted, Store } from '../store/store.ts';

export interface Load {
  /** Runs that hold a lease. Smart mode holds nothing between ticks, and what runs outside is not ours. */
  readonly running: number;
  /** What falls due in this tick. */
  readonly queued: number;
  /** By shard: how many tasks wait for a run of their own, or for another because theirs died; part of `queued`. */
  readonly runs: readonly number[];
  /** There are dormant targets to be looked at. */
  readonly dormant: boolean;
  /** Nothing waits at all, now or later. */
  readonly empty: boolean;
}

interface LoadDeps {
  readonly store: Store;
  readonly settings: ServiceSettings;
}

/**
 * Counts a queue's load in a tick.
 * @param tick its start and its end, epoch ms
 * @param ownRuns whether the queue has tasks that poke for themselves: they are counted apart
 */
export async function countLoad(
  deps: LoadDeps,
  queue: QueueRecord,
  records: readonly ShardRecord[],
  { now, to }: { readonly now: number; readonly to: number },
  ownRuns: boolean,
): Promise<Load> {
  const known = new Map(records.map((record) => [record.shard, record]));
  const shards = Array.from({ length: deps.settings.shards }, (_, shard) => shard);
  const count = (of: Counted) => (shard: number, from: number, until: number) =>
    countCodes(deps, queue.name, shard, from, until, of);
  const soon = now + LOAD_MS;
  const [loads, running, runs] = await Promise.all([
    Promise.all(
      shards.map((shard) => {
        const [added, seen] = ownRuns ? (['shared', 'seen_shared'] as const) : (['all', 'seen'] as const);
        return shardLoad({ added: count(added), seen: count(seen) }, shard, known.get(shard), { now, to });
      }),
    ),
    ownRuns ? countRunning(deps, queue.name, now) : 0,
    Promise.all(shards.map((shard) => (ownRuns ? count('runs')(shard, 0, soon) : Promise.resolve(0)))),
  ]);
  const queued = sum(loads.map((load) => load.queued)) + sum(runs);
  const expected = loads.some(({ expects }) => expects);
  // Looking everywhere costs a query a code: only where the queue may be about to fall asleep.
  const maybeEmpty = queued === 0 && !expected && now - queue.active_at >= GRACE_MS;
  const empty = maybeEmpty && !(await hasDeferred(deps, queue.name)) && (await countAll(deps, queue.name)) === 0;
  const told = records.some(({ forecast }) => (forecast?.dormant ?? 0) > 0);
  // A first poke, or a worker that died, puts a target to sleep and tells nobody; only one that was joined not long ago.
  const maybeUntold = !told && queued === 0 && now - queue.active_at < 2 * GRACE_MS;
  const dormant = told || (maybeUntold && (await anyDormant(count('dormant'), shards, known, to)));
  return { running, queued, runs, dormant, empty };
}

/** @returns how many runs of a queue hold a lease. */
export async function countRunning(deps: LoadDeps, queue: string, now: number): Promise<number> {
  const shards = Array.from({ length: deps.settings.shards }, (_, shard) => shard);
  const from = now + LOAD_MS + 1;
  return sum(await Promise.all(shards.map((shard) => countCodes(deps, queue, shard, from, ENDLESS, 'leased'))));
}

/** Whether targets sleep of which their shards' forecasts can know nothing. */
async function anyDormant(
  count: Count,
  shards: readonly number[],
  known: ReadonlyMap<number, ShardRecord>,
  to: number,
): Promise<boolean> {
  const counts = await Promise.all(
    shards.map((shard) => {
      const forecast = known.get(shard)?.forecast;
      return count(shard, forecast === undefined ? 0 : forecast.at - GRACE_MS, to);
    }),
  );
  return counts.some((dormant) => dormant > 0);
}

/** Within so long the workers of the tick have looked at their shards; what is due by then they start. */
const LOAD_MS = 5000;

/** Later than any instant. */
const ENDLESS = Number.MAX_SAFE_INTEGER;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

interface ShardLoad {
  readonly queued: number;
  /** Something is due in it some time. */
  readonly expects: boolean;
}

type Count = (shard: number, from: number, to: number) => Promise<number>;

async function shardLoad(
  count: { readonly added: Count; readonly seen: Count },
  shard: number,
  record: ShardRecord | undefined,
  { now, to }: { readonly now: number; readonly to: number },
): Promise<ShardLoad> {
  const forecast = record?.forecast;
  if (forecast === undefined) return { queued: await count.added(shard, 0, to), expects: false };
  const { at, next_due_at: nextDueAt, recent } = forecast;
  const added = await count.added(shard, at + 1, to);
  // Before the forecast an entry may have hidden from the worker for as long as an index may lag. What was seen then is
  // still there: only a worker takes it out of the index, and makes a new forecast; what is joined again counts as added.
  const late = now - at < GRACE_MS ? Math.max(0, (await count.seen(shard, at - GRACE_MS, at)) - recent) : 0;
  const due = nextDueAt !== undefined && nextDueAt <= to ? forecast.due : 0;
  return { queued: due + added + late, expects: nextDueAt !== undefined };
}

async function countCodes(
  deps: LoadDeps,
  queue: string,
  shard: number,
  from: number,
  to: number,
  of: Counted,
): Promise<number> {
  const range = codesOf(shard, deps.settings.shard_code_upper_limit, deps.settings.shards);
  const codes = Array.from({ length: range.to - range.from }, (_, index) => range.from + index);
  return sum(await Promise.all(codes.map((code) => deps.store.countAwake(queue, code, from, to, of))));
}

/** Who waits in an execution is nobody's load, but the watchdog of those comes to queues that are awake. */
async function hasDeferred({ store }: LoadDeps, queue: string): Promise<boolean> {
  const { tasks, next } = await store.list({ queue, state: 'deferred', limit: 1 });
  return tasks.length > 0 || next !== undefined;
}

async function countAll(deps: LoadDeps, queue: string): Promise<number> {
  const shards = Array.from({ length: deps.settings.shards }, (_, shard) => shard);
  return sum(await Promise.all(shards.map((shard) => countCodes(deps, queue, shard, 0, ENDLESS, 'all'))));
}
