/** What the shards' records say of a queue, as metrics: one line for all workers of a tick, and none of their own. */
import type { ShardRecord, ShardStatistics } from '../core/queue.ts';
import { counted } from '../metrics.ts';
import type { Metrics } from '../metrics.ts';

/**
 * @param since when the last tick began, epoch ms: what was counted before it is told already
 * @returns what the last tick's workers did, all together
 */
export function tickMetrics(shards: readonly ShardRecord[], since: number): Metrics {
  // A run writes the same into each of its shards.
  const runs = new Map<string, ShardStatistics>();
  for (const { statistics } of shards) {
    if (statistics !== undefined && statistics.at >= since) runs.set(statistics.worker, statistics);
  }
  if (runs.size === 0) return {};
  const all = [...runs.values()];
  const sum = (of: (run: ShardStatistics) => number | undefined): number =>
    all.reduce((total, run) => total + (of(run) ?? 0), 0);
  return {
    poke_lag_ms: Math.max(...all.map(({ poke_lag_ms }) => poke_lag_ms ?? 0)),
    ...counted({
      pokes: sum(({ pokes }) => pokes),
      calls: sum(({ calls }) => calls),
      calls_saved: sum(({ calls_saved }) => calls_saved),
      met: sum(({ met }) => met),
      unknown: sum(({ unknown }) => unknown),
      throttled: sum(({ throttled }) => throttled),
      poison: sum(({ poison }) => poison),
    }),
  };
}

/** @returns how much waits, and for how long the oldest poke has been due: it grows where workers die, too. */
export function standingMetrics(shards: readonly ShardRecord[], now: number): Metrics {
  const waiting = shards.reduce((total, { statistics }) => total + (statistics?.targets ?? 0), 0);
  const owed = shards.reduce((total, shard) => total + shard.owed.length, 0);
  const oldest = shards.reduce((earliest, shard) => Math.min(earliest, dueSince(shard)), now);
  return { waiting, ...counted({ owed }), oldest_due_ms: now - oldest };
}

/** @returns since when something in the shard is due, epoch ms; it may lie ahead. */
function dueSince({ owed, owed_since, ticked_through, forecast }: ShardRecord): number {
  return owed.length > 0 ? (owed_since ?? ticked_through) : (forecast?.next_due_at ?? Number.POSITIVE_INFINITY);
}
