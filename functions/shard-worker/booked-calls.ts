import pLimit from 'p-limit';
import { bookableUntil, bookedSlots } from '../core/call-slots.ts';
import type { Spacing } from '../core/call-slots.ts';
import type { Clock, Log } from '../ports.ts';
import type { Store } from '../store/store.ts';

export interface BudgetDeps {
  readonly store: Pick<Store, 'bookCalls'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Paced calls are counted from so long after they are asked for: by then the table has answered. */
const LEAD_MS = 60;

/** A paced call that is later than this is not made any more: it would be one too many in another second. */
const LATE_MS = 10;

/** Who found no room asks again after so long. */
const REFUSED_MS = 1000;

/** A call that was booked for somebody else to make. */
export interface BookedCall {
  readonly budget: string;
  /** When, epoch ms. */
  readonly at: number;
}

interface BookingOptions {
  readonly booked?: readonly number[];
  readonly handOverMs?: number;
}

/** The calls of one budget that a run has booked in the table and not made yet. Whoever asks first is served first. */
export interface Bookings {
  /** Announces calls: they are booked together. */
  expect(calls: number): void;
  /** @returns at which instant the caller may make one call; undefined: none until `latest`. Never rejects. */
  slot(latest: number): Promise<number | undefined>;
}

/**
 * @param spacing of the part of the budget that is booked
 * @param options booked: instants that are the run's already; handOverMs: a call can be made so long after it is
 * asked for, because somebody else makes it. @default by who asks
 */
export function createBookings(
  { store, clock, log }: BudgetDeps,
  queue: string,
  name: string,
  spacing: Spacing,
  { booked: given = [], handOverMs }: BookingOptions = {},
): Bookings {
  const slots = [...given];
  const leadMs = handOverMs ?? (isPaced(spacing) ? LEAD_MS : 0);
  let asking = 0;
  let expected = 0;
  let known: number | undefined;
  let refusedUntil = 0;
  const turn = pLimit(1);

  async function book(latest: number): Promise<void> {
    const now = clock.now();
    if (!Number.isFinite(spacing.everyMs) || now < refusedUntil) return;
    const { everyMs } = spacing;
    const calls = Math.max(asking, expected);
    try {
      const booking = { calls, everyMs, leadMs, until: bookableUntil(spacing, latest), known };
      const booked = await store.bookCalls(queue, name, booking, now);
      if (booked !== undefined) {
        known = booked.from + booked.calls * everyMs;
        const [first, ...others] = bookedSlots(spacing, booked.from, booked.calls, now);
        // Nobody has called for long: the first need not wait.
        if (first !== undefined)
          slots.push(booked.begun && handOverMs === undefined ? Math.min(first, clock.now()) : first, ...others);
      }
      if (booked === undefined || booked.calls < calls) refusedUntil = now + REFUSED_MS;
    } catch (error) {
      // What is not written down is nobody's: the poke is left.
      log({ message: 'calls not booked', queue, budget: name, error: String(error) });
      refusedUntil = now + REFUSED_MS;
    }
  }

  function forgetLate(): void {
    const since = clock.now() - (isPaced(spacing) ? LATE_MS : spacing.everyMs);
    while (slots[0] !== undefined && slots[0] < since) slots.shift();
  }

  async function next(latest: number): Promise<number | undefined> {
    forgetLate();
    if (slots.length === 0) {
      await book(latest);
      const newest = slots.at(-1);
      forgetLate();
      // A table that is slower than the lead makes calls late, but does not stop them.
      if (slots.length === 0 && newest !== undefined) slots.push(newest);
    }
    asking -= 1;
    expected = Math.max(0, expected - 1);
    const slot = slots[0];
    if (slot === undefined || slot > latest) return undefined;
    slots.shift();
    return slot;
  }

  return {
    expect: (calls: number): void => {
      expected += calls;
    },
    slot(latest: number): Promise<number | undefined> {
      asking += 1;
      return turn(() => next(latest));
    },
  };
}

/** Without a burst each call has an instant of its own; with one what is not used in time is there later. */
export function isPaced({ burst }: Spacing): boolean {
  return burst <= 1;
}
