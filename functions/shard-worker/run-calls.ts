/**
 * Calls that a tick books for the runs which it starts. A run that waited for its instant would hold a worker of its own
 * for as long as the budget is short; so the tick waits for all of them, and each begins when it may call.
 */
import { bookedSpacing, isPooled, pooledSpacing } from '../core/call-slots.ts';
import type { Spacing } from '../core/call-slots.ts';
import { budgetName, rateOf } from '../core/rates.ts';
import type { Rate } from '../core/rates.ts';
import { createBookings, isPaced } from './booked-calls.ts';
import type { BookedCall, BudgetDeps } from './booked-calls.ts';

/** A run begins so long before its call where an instant that was missed is not made up for: a cold start takes as long. */
const LEAD_MS = 1000;

/** Where so many runs find their calls within so long, each looks for its own. */
const SOON_MS = 2000;

/** Calls of so long are booked together, in one write; what others want meanwhile comes no later than after them. */
const TOGETHER_MS = 1000;

/** What the runs of a tick may call. */
export interface RunCalls {
  /** @returns the name of the budget that an operation draws on. */
  nameOf(operation: string): string;
  /** @returns whether so many runs that begin at once would have to wait for their calls. */
  isShort(budget: string, runs: number): boolean;
  /**
   * Books the first call of each of so many runs, one after another as they are asked for. Never rejects.
   * @returns a call, and at which instant (epoch ms) its run begins; ends where there is none until `latest`
   */
  book(budget: string, runs: number, latest: number): AsyncGenerator<RunCall, void>;
}

export interface RunCall {
  readonly call: BookedCall;
  readonly startAt: number;
}

/** @param rates of the queue, as throttling has left them */
export function createRunCalls(deps: BudgetDeps, queue: string, rates: Readonly<Record<string, Rate>>): RunCalls {
  function spacingOf(budget: string): Spacing {
    const rate = rateOf(budget, rates);
    return isPooled(rate) ? pooledSpacing(rate, false) : bookedSpacing(rate);
  }

  return {
    nameOf: (operation) => budgetName(operation, rates),
    isShort(budget, runs) {
      // Of a small one others may have taken what is there.
      return isPooled(rateOf(budget, rates)) || runs * spacingOf(budget).everyMs > SOON_MS;
    },
    async *book(budget, runs, latest) {
      const spacing = spacingOf(budget);
      const leadMs = isPaced(spacing) ? LEAD_MS : 0;
      const bookings = createBookings(deps, queue, budget, spacing, { handOverMs: leadMs });
      const together = Math.max(1, Math.floor(TOGETHER_MS / spacing.everyMs));
      for (let booked = 0; booked < runs; booked += 1) {
        if (booked % together === 0) bookings.expect(Math.min(together, runs - booked));
        const at = await bookings.slot(latest);
        if (at === undefined) return;
        yield { call: { budget, at }, startAt: at - leadMs };
      }
    },
  };
}
