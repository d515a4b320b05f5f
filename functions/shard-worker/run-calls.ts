/**
 * Calls that a tick books for the runs which it starts. A run that waited for its instant would hold a worker of its own
 * for as long as a small budget is short; so the tick waits for all of them, and each begins when it may call.
 */
import { isPooled, pooledSpacing } from '../core/call-slots.ts';
import { budgetName, rateOf } from '../core/rates.ts';
import type { Rate } from '../core/rates.ts';
import { createBookings, isPaced } from './booked-calls.ts';
import type { BookedCall, Bookings, BudgetDeps } from './booked-calls.ts';

/** A run begins so long before its call where an instant that was missed is not made up for: a cold start takes as long. */
const LEAD_MS = 1000;

/** What the runs of a tick may call. */
export interface RunCalls {
  /** @returns the budget whose calls are booked for runs that call this operation; undefined: they book for themselves */
  budgetOf(operation: string): string | undefined;
  /**
   * Books the first call of one run. Never rejects.
   * @returns the call, and at which instant (epoch ms) its run begins; undefined: there is none until `latest`
   */
  book(budget: string, latest: number): Promise<{ readonly call: BookedCall; readonly startAt: number } | undefined>;
}

/** @param rates of the queue, as throttling has left them */
export function createRunCalls(deps: BudgetDeps, queue: string, rates: Readonly<Record<string, Rate>>): RunCalls {
  const purses = new Map<string, Bookings>();

  return {
    budgetOf(operation) {
      const budget = budgetName(operation, rates);
      // Of a larger budget a run soon finds a call of its own.
      return isPooled(rateOf(budget, rates)) ? budget : undefined;
    },
    async book(budget, latest) {
      const spacing = pooledSpacing(rateOf(budget, rates), false);
      const leadMs = isPaced(spacing) ? LEAD_MS : 0;
      const purse = purses.get(budget) ?? createBookings(deps, queue, budget, spacing, { handOverMs: leadMs });
      purses.set(budget, purse);
      const at = await purse.slot(latest);
      return at === undefined ? undefined : { call: { budget, at }, startAt: at - leadMs };
    },
  };
}
