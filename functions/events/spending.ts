import { newBucket, take } from '../core/budget.ts';
import type { Bucket } from '../core/budget.ts';
import { budgetName, rateOf, ratesOf, REGULAR_SHARE, shareOf } from '../core/rates.ts';

/**
 * What the events of one process may have poked: the part of a queue's rate budgets that is kept for first pokes. Each
 * event is poked in an invocation of its own, whose budget knows nothing of the others: here a storm of them is bounded.
 */
export interface Spending {
  /**
   * @param configured the queue's own budgets, calls a second by name
   * @returns whether there is a call of the operation left; if so, it is taken
   */
  takes(queue: string, configured: Readonly<Record<string, number>>, operation: string, now: number): boolean;
}

export function createSpending(): Spending {
  const buckets = new Map<string, Bucket>();
  return {
    takes(queue, configured, operation, now) {
      const rates = shareOf(ratesOf(configured), 1 - REGULAR_SHARE, 1);
      const name = budgetName(operation, rates);
      const rate = rateOf(name, rates);
      const key = `${queue}#${name}`;
      // The queue may have other budgets since.
      const standing = { ...(buckets.get(key) ?? newBucket(rate, now)), ...rate };
      const { bucket, waitMs } = take(standing, now, 1);
      if (waitMs > 0) return false;
      buckets.set(key, bucket);
      return true;
    },
  };
}
