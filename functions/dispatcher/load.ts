/** What a queue's workers have to do in a tick: their own forecasts, and what was added since. */
import { GRACE_MS } from '../core/membership.ts';
import type { QueueRecord, ShardRecord } from '../core/queue.ts';
import { codesOf } from '../core/ranges.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';

export interface Load {
  /** What workers of ours hold now. Smart mode holds nothing between ticks. */
  readonly running: number;
  /** What falls due in this tick. */
  readonly queued: number;
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
 * @param now start of the tick, epoch ms
 * @param to its end
 */
export async function countLoad(
  deps: LoadDeps,
  queue: QueueRecord,
  records: readonly ShardRecord[],
  now: number,
  to: number,
): Promise<Load> {
  const known = new Map(records.map((record) => [record.shard, record]));
  const shards = Array.from({ length: deps.settings.shards }, (_, shard) => shard);
  const loads = await Promise.all(shards.map((shard) => shardLoad(deps, queue.name, shard, known.get(shard), to)));
  const queued = loads.reduce((sum, load) => sum + load.queued, 0);
  const expected = loads.some(({ expects }) => expects);
  // Looking everywhere costs a query a code: only where the queue may be about to fall asleep.
  const maybeEmpty = queued === 0 && !expected && now - queue.active_at >= GRACE_MS;
  const empty = maybeEmpty && (await countAll(deps, queue.name)) === 0;
  const dormant = records.some(({ forecast }) => (forecast?.dormant ?? 0) > 0);
  return { running: 0, queued, dormant, empty };
}

interface ShardLoad {
  readonly queued: number;
  /** Something is due in it some time. */
  readonly expects: boolean;
}

async function shardLoad(
  deps: LoadDeps,
  queue: string,
  shard: number,
  record: ShardRecord | undefined,
  to: number,
): Promise<ShardLoad> {
  const forecast = record?.forecast;
  // Before the forecast an entry may have hidden from the worker for as long as an index may lag.
  const since = forecast === undefined ? 0 : forecast.at - GRACE_MS;
  const entries = await countCodes(deps, queue, shard, since, to);
  const added = Math.max(0, entries - (forecast?.recent ?? 0));
  const nextDueAt = forecast?.next_due_at;
  const due = forecast !== undefined && nextDueAt !== undefined && nextDueAt <= to ? forecast.due : 0;
  return { queued: due + added, expects: nextDueAt !== undefined };
}

async function countCodes(deps: LoadDeps, queue: string, shard: number, from: number, to: number): Promise<number> {
  const range = codesOf(shard, deps.settings.shard_code_upper_limit, deps.settings.shards);
  const codes = Array.from({ length: range.to - range.from }, (_, index) => range.from + index);
  const counts = await Promise.all(codes.map((code) => deps.store.countAwake(queue, code, from, to)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countAll(deps: LoadDeps, queue: string): Promise<number> {
  const shards = Array.from({ length: deps.settings.shards }, (_, shard) => shard);
  const counts = await Promise.all(shards.map((shard) => countCodes(deps, queue, shard, 0, Number.MAX_SAFE_INTEGER)));
  return counts.reduce((sum, count) => sum + count, 0);
}
