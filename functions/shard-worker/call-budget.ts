/**
 * What a run may call of its queue's rate budgets, and when: no second has more calls than a budget allows, over all
 * workers and invocations (docs/adr/0016). What a former run has used is not there again for the next one.
 */
import { bookedSpacing, isPooled, lanesOf, leasedSlot, pooledSpacing } from '../core/call-slots.ts';
import type { Slot } from '../core/call-slots.ts';
import { budgetName, rateOf } from '../core/rates.ts';
import type { Rate } from '../core/rates.ts';
import { createBookings } from './booked-calls.ts';
import type { BookedCall, Bookings, BudgetDeps } from './booked-calls.ts';

export interface CallBudget {
  /** @returns the name of the budget that an operation draws on. */
  nameOf(operation: string): string;
  /** @returns how many calls of an operation there are in so many ms, at the most. */
  callsIn(operation: string, ms: number): number;
  /** @returns how many calls of an operation in so many ms are the run's own, in the long run. */
  shareIn(operation: string, ms: number): number;
  /** Announces calls of an operation: they are booked together. */
  expect(operation: string, calls: number): void;
  /** @returns at which instant (epoch ms) the caller may make one call; undefined: none until `latest`. Never rejects. */
  slot(operation: string, latest: number): Promise<number | undefined>;
}

/** A queue's budgets in the hands of one run. */
export interface Holding {
  readonly queue: string;
  /** The whole queue's, as throttling has left them. */
  readonly rates: Readonly<Record<string, Rate>>;
  /**
   * `tick`: has the leases of shards. `first`: first pokes, for which a part is kept. `run`: all else; `booked` is a call
   * that was booked for it.
   */
  readonly holder:
    | { readonly kind: 'tick'; readonly shards: number; readonly owned: ReadonlySet<number> }
    | { readonly kind: 'first' }
    | { readonly kind: 'run'; readonly booked?: BookedCall | undefined };
}

/** A tick in which so many calls wait for its own instants is short: it books what first pokes leave, */
const WAITING_CALLS = 4;

/** so far ahead, and asks for it no more often. */
const BORROW_MS = 1000;

export function createCallBudget(deps: BudgetDeps, holding: Holding): CallBudget {
  const { rates, holder } = holding;
  const purses = new Map<string, Bookings>();
  const nameOf = (operation: string): string => budgetName(operation, rates);

  function purseOf(operation: string): Bookings {
    const name = nameOf(operation);
    const purse = purses.get(name) ?? createPurse(deps, holding, name);
    purses.set(name, purse);
    return purse;
  }

  return {
    nameOf,
    callsIn(operation, ms) {
      const rate = rateOf(nameOf(operation), rates);
      if (isPooled(rate)) return rate.burst + (rate.rate * ms) / 1000;
      const { leased, booked } = lanesOf(rate);
      const own = holder.kind === 'tick' ? (leased * holder.owned.size) / holder.shards : booked;
      return (own * ms) / 1000;
    },
    shareIn(operation, ms) {
      const rate = rateOf(nameOf(operation), rates);
      const part = holder.kind === 'tick' ? holder.owned.size / holder.shards : 1;
      return ((isPooled(rate) ? rate.rate : lanesOf(rate).leased) * part * ms) / 1000;
    },
    expect: (operation, calls) => purseOf(operation).expect(calls),
    slot: (operation, latest) => purseOf(operation).slot(latest),
  };
}

/** One budget in the hands of one run. */
function createPurse(deps: BudgetDeps, { queue, rates, holder }: Holding, name: string): Bookings {
  const rate = rateOf(name, rates);
  const spacing = isPooled(rate) ? pooledSpacing(rate, holder.kind === 'first') : bookedSpacing(rate);
  const given = holder.kind === 'run' && holder.booked?.budget === name ? [holder.booked.at] : [];
  const booked = createBookings(deps, queue, name, spacing, { booked: given });
  if (isPooled(rate)) return booked;
  if (holder.kind !== 'tick') return booked;

  const lease = { rate: lanesOf(rate).leased, shards: holder.shards, owned: holder.owned };
  const waitingMs = (WAITING_CALLS * 1000 * holder.shards) / (lease.rate * holder.owned.size);
  let last: Slot | undefined;
  let borrowedAt = 0;
  return {
    // Its own instants need no booking.
    expect: () => undefined,
    async slot(latest) {
      const now = deps.clock.now();
      const own = leasedSlot(lease, now, last);
      if ((own === undefined || own.at > now + waitingMs) && now >= borrowedAt + BORROW_MS) {
        borrowedAt = now;
        booked.expect(Math.floor(BORROW_MS / spacing.everyMs));
      }
      const borrowed = now < borrowedAt + BORROW_MS ? await booked.slot(now + BORROW_MS) : undefined;
      if (borrowed !== undefined) return borrowed;
      const next = leasedSlot(lease, deps.clock.now(), last);
      if (next === undefined || next.at > latest) return undefined;
      last = next;
      return next.at;
    },
  };
}
