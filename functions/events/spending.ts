import { newBucket, take } from '../core/budget.ts';
import type { Bucket } from '../core/budget.ts';
import { budgetName, KEPT, rateOf, ratesOf } from '../core/rates.ts';

/**
 * What the events of one process may have poked: the part of a queue's rate budgets that is kept for first pokes. Each
 * event is poked in an invocation of its own, which finds no room for long in a storm of them: here it is bounded.
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
      const rates = ratesOf(configured);
      const name = budgetName(operation, rates);
      const whole = rateOf(name, rates);
      const rate = { rate: whole.rate * KEPT, burst: Math.max(1, whole.burst * KEPT) };
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
