import { nextRate } from '../core/budget.ts';
import type { QueueRecord, ShardRecord } from '../core/queue.ts';
import { ratesNow, ratesOf } from '../core/rates.ts';
import type { Rate } from '../core/rates.ts';

/**
 * A queue's rate budgets in this tick: what is configured, halved where the last tick was throttled, grown back slowly.
 * @param shards the records that the last tick's workers have written
 * @returns effective: all budgets; lowered: those below their limit, to be remembered
 */
export function currentRates(
  queue: QueueRecord,
  shards: readonly ShardRecord[],
): { readonly effective: Readonly<Record<string, Rate>>; readonly lowered: Readonly<Record<string, number>> } {
  const limits = ratesOf(queue.budgets);
  const since = queue.decision?.at ?? 0;
  const recent = shards.filter(({ statistics }) => statistics !== undefined && statistics.at >= since);
  const lowered: Record<string, number> = {};
  for (const [name, { rate: limit }] of Object.entries(limits)) {
    const throttled = recent.some(({ statistics }) => (statistics?.throttled_by?.[name] ?? 0) > 0);
    const current = queue.rates?.[name] ?? limit;
    const rate = throttled || current < limit ? nextRate({ current, limit, throttled }) : limit;
    if (rate < limit) lowered[name] = rate;
  }
  return { effective: ratesNow(queue.budgets, lowered), lowered };
}
