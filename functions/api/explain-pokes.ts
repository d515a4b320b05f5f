/** What is known of a target's pokes that nobody has written down: the last one, and its place where a budget is short. */
import { duesIn } from '../core/cadence.ts';
import type { Schedule } from '../core/cadence.ts';
import { intervalMs } from '../core/duration.ts';
import { targetKey } from '../core/identity.ts';
import type { QueueRecord, ShardRecord } from '../core/queue.ts';
import { shardOf } from '../core/ranges.ts';
import { budgetName, rateOf, ratesNow } from '../core/rates.ts';
import type { Target } from '../core/target.ts';
import { sensorCatalog } from '../sensors/registry.ts';
import type { ServiceSettings } from '../settings.ts';
import { iso } from './present.ts';

export type ShardSettings = Pick<ServiceSettings, 'tick_seconds' | 'shards' | 'shard_code_upper_limit'>;

/** Dues that are gone through to find the last one: of an exponential series, which is short. */
const DUES = 1000;

/** @returns the record of the shard whose workers poke the target; undefined where none has yet. */
export function shardOfTarget(
  target: Target,
  records: readonly ShardRecord[],
  { shard_code_upper_limit, shards }: ShardSettings,
): ShardRecord | undefined {
  const shard = shardOf(target.shardcode, shard_code_upper_limit, shards);
  return records.find((record) => record.shard === shard);
}

/**
 * An idle poke writes nothing: that it was made follows from how far its shard's ticks have come.
 * @returns about when the target was last poked, epoch ms: a tick may poke up to a minute before a due
 */
export function lastPokeOf(
  target: Target,
  schedule: Schedule,
  record: ShardRecord | undefined,
  now: number,
): number | undefined {
  if (record === undefined || record.owed.includes(targetKey(target))) return undefined;
  const through = Math.min(record.ticked_through, schedule.deadlineMs);
  const { exponential, poke_interval } = schedule.cadence;
  const from = exponential ? schedule.startMs : Math.max(schedule.startMs, through - intervalMs(poke_interval));
  const due = duesIn(schedule, from, through, DUES).at(-1);
  return due === undefined ? undefined : Math.min(due, now);
}

/**
 * Where the last tick had no room in a rate budget for the target's poke: how many are owed with it, and by when it is made.
 * @returns undefined where it is not owed
 */
export function shortageOf(
  target: Target,
  records: readonly ShardRecord[],
  queue: QueueRecord | undefined,
  { tick_seconds }: Pick<ShardSettings, 'tick_seconds'>,
  now: number,
) {
  const key = targetKey(target);
  const own = records.find(({ owed }) => owed.includes(key));
  if (own === undefined) return undefined;
  const operation = sensorCatalog.operationOf(target.sensor);
  const rates = ratesNow(queue?.budgets ?? {}, queue?.rates);
  const budget = operation === undefined ? undefined : budgetName(operation, rates);
  const rate = budget === undefined ? undefined : rateOf(budget, rates).rate;
  const owed = records.reduce((sum, record) => sum + record.owed.length, 0);
  const tick = Math.max(now, (queue?.decision?.at ?? now) + tick_seconds * 1000);
  return {
    budget,
    calls_per_second: rate,
    owed_since: own.owed_since === undefined ? undefined : iso(own.owed_since),
    // The nearest deadline goes first, and what shares a call needs one: it is never further back than this.
    place_at_most: owed,
    expected_by: rate === undefined || rate <= 0 ? null : iso(tick + Math.ceil((owed / rate) * 1000)),
  };
}
