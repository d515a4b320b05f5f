import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  bookableUntil,
  bookedSlots,
  bookedSpacing,
  isPooled,
  lanesOf,
  leasedSlot,
  pooledSpacing,
} from '../../functions/core/call-slots.ts';
import type { Slot, Spacing } from '../../functions/core/call-slots.ts';
import { shareShards } from '../../functions/core/ranges.ts';
import { T0 } from '../support/tasks.ts';

const EMR = { rate: 0.5, burst: 10 };

/** The most calls in any second. */
function busiest(instants: readonly number[]): number {
  const sorted = instants.toSorted((a, b) => a - b);
  let from = 0;
  let most = 0;
  for (const [index, at] of sorted.entries()) {
    while (at - (sorted[from] ?? at) >= 1000) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

/** By how many calls the worst of all windows is above what the spacing allows. */
function excess(instants: readonly number[], { burst, everyMs }: Spacing): number {
  const sorted = instants.toSorted((a, b) => a - b);
  let most = Number.NEGATIVE_INFINITY;
  for (const [first, from] of sorted.entries()) {
    for (const [last, to] of sorted.entries()) {
      if (last >= first) most = Math.max(most, last - first + 1 - burst - (to - from) / everyMs);
    }
  }
  return most;
}

/** All instants of a worker's shards in so many seconds. */
function leased(rate: number, shards: number, owned: ReadonlySet<number>, seconds: number): number[] {
  const instants: number[] = [];
  let last: Slot | undefined;
  for (;;) {
    last = leasedSlot({ rate, shards, owned }, T0, last);
    if (last === undefined || last.at >= T0 + seconds * 1000) return instants;
    instants.push(last.at);
  }
}

describe('a paced budget', () => {
  test('EMR is pooled, S3 is paced', () => {
    expect(isPooled(EMR)).toBe(true);
    expect(isPooled({ rate: 500 })).toBe(false);
  });

  test('its two parts are together no more than it, in whole calls', () => {
    fc.assert(
      fc.property(fc.double({ min: 2, max: 1e5, noNaN: true }), (rate) => {
        const { leased: own, booked } = lanesOf({ rate });
        expect(own + booked).toBeLessThanOrEqual(rate);
        expect(booked).toBeGreaterThanOrEqual(rate / 4);
      }),
    );
  });

  test('however the shards are shared out, no second has more calls than the rate, and all of it is used', () => {
    const cases = fc.record({
      rate: fc.integer({ min: 1, max: 200 }),
      shards: fc.integer({ min: 1, max: 40 }),
      workers: fc.integer({ min: 1, max: 10 }),
    });
    fc.assert(
      fc.property(cases, ({ rate, shards, workers }) => {
        const all = shareShards(shards, workers).flatMap((share) => leased(rate, shards, new Set(share), 3));
        expect(busiest(all)).toBeLessThanOrEqual(rate);
        expect(all.length).toBe(rate * 3);
      }),
      { numRuns: 40 },
    );
  });

  test('one worker with half of the shards finds its instants spread evenly', () => {
    const seconds = leased(160, 16, new Set([0, 1, 2, 3, 4, 5, 6, 7]), 1);
    const gaps = seconds.slice(1).map((at, index) => at - (seconds[index] ?? at));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(25);
  });

  test('who has no lease, or a rate of 0, has no instants', () => {
    expect(leasedSlot({ rate: 10, shards: 16, owned: new Set() }, T0)).toBeUndefined();
    expect(leasedSlot({ rate: 0, shards: 16, owned: new Set([1]) }, T0)).toBeUndefined();
  });
});

describe('bookings', () => {
  test('of a pooled budget leave a call of the burst unused, and a quarter of it to first pokes', () => {
    expect(pooledSpacing(EMR, true)).toEqual({ everyMs: 2000, burst: 9 });
    expect(pooledSpacing(EMR, false)).toEqual({ everyMs: 2000, burst: 7 });
    expect(pooledSpacing({ rate: 0.05, burst: 1 }, false)).toEqual({ everyMs: 20_000, burst: 1 });
  });

  test('give the burst at once and then one every so many ms', () => {
    const slots = bookedSlots(pooledSpacing(EMR, false), T0, 9, T0);
    expect(slots.map((at) => (at - T0) / 1000)).toEqual([0, 0, 0, 0, 0, 0, 0, 2, 4]);
  });

  test('reach no further than the last call that can be made in time', () => {
    const spacing = pooledSpacing(EMR, false);
    const until = bookableUntil(spacing, T0 + 4000);
    const calls = Math.floor((until - T0) / spacing.everyMs);
    expect(bookedSlots(spacing, T0, calls, T0).at(-1)).toBe(T0 + 4000);
  });

  test('one after the other never exceed the rate and the burst, whoever makes them', () => {
    const runs = fc.array(
      fc.record({ pause: fc.integer({ min: 0, max: 9000 }), calls: fc.integer({ min: 1, max: 9 }) }),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(runs, fc.boolean(), (bookings, pooled) => {
        const spacing = pooled ? pooledSpacing(EMR, true) : bookedSpacing({ rate: 40 });
        let now = T0;
        let booked = 0;
        const instants: number[] = [];
        for (const { pause, calls } of bookings) {
          now += pause;
          const from = Math.max(booked, now);
          instants.push(...bookedSlots(spacing, from, calls, now));
          booked = from + calls * spacing.everyMs;
        }
        expect(excess(instants, spacing)).toBeLessThanOrEqual(0.01);
      }),
    );
  });
});
