import type { QueueRecord } from '../core/queue.ts';
import { ratesOf } from '../core/rates.ts';
import type { Rate } from '../core/rates.ts';

/**
 * A run's part of its queue's rate budgets: the sustained rate is shared with the other runs as of the last tick, the
 * burst is not, for a poke that never finds room would never learn that its deadline has passed.
 */
export function runBudgets(queue: QueueRecord | undefined): Readonly<Record<string, Rate>> {
  const runs = Math.max(1, queue?.decision?.running ?? 1);
  const limits = Object.entries(ratesOf(queue?.budgets ?? {}));
  return Object.fromEntries(
    limits.map(([name, { rate, burst }]) => [name, { rate: (queue?.rates?.[name] ?? rate) / runs, burst }]),
  );
}
