import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newBucket, nextRate, refund, take } from '../../functions/core/budget.ts';

const EMR = { rate: 0.5, burst: 10 };

/** Takes one token after the other; gives the waits in ms. */
function waits(times: readonly number[], bucket = newBucket(EMR, 0)): number[] {
  return times.map((now) => {
    const taken = take(bucket, now, 1);
    bucket = taken.bucket;
    return taken.waitMs;
  });
}

describe('token bucket', () => {
  test('the burst at once, then one every 2 s', () => {
    expect(waits(Array.from({ length: 12 }, () => 0))).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2000, 4000]);
  });

  test('fills with time, never above the burst', () => {
    const empty = { ...EMR, tokens: 0, at: 0 };
    expect(waits([2000, 2000, 10_000_000], empty)).toEqual([0, 2000, 0]);
    expect(take(empty, 1e9, 1).bucket.tokens).toBe(9);
  });

  test('several at once, also more than the burst', () => {
    expect(take(newBucket(EMR, 0), 0, 10).waitMs).toBe(0);
    expect(take(newBucket(EMR, 0), 0, 12).waitMs).toBe(4000);
  });

  test('a rate of 0 never fills', () => {
    expect(take(newBucket({ rate: 0, burst: 1 }, 0), 0, 1).waitMs).toBe(0);
    expect(take(newBucket({ rate: 0, burst: 0 }, 0), 1e9, 1).waitMs).toBe(Infinity);
  });

  test('what is given back is there again, up to the burst', () => {
    const { bucket } = take(newBucket(EMR, 0), 0, 10);
    expect(take(refund(bucket, 1), 0, 1).waitMs).toBe(0);
    expect(refund(newBucket(EMR, 0), 5).tokens).toBe(10);
  });

  test('a clock that goes back earns nothing and loses nothing', () => {
    const { bucket } = take(newBucket(EMR, 60_000), 60_000, 10);
    expect(take(bucket, 30_000, 1)).toEqual({ bucket: { ...bucket, tokens: -1 }, waitMs: 32_000 });
  });

  test('whoever waits as told never exceeds burst + rate * time in any window', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 60 });
    const rates = fc.record({
      rate: fc.double({ min: 0.1, max: 50, noNaN: true }),
      burst: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(gaps, rates, (pauses, rate) => {
        let bucket = newBucket(rate, 0);
        let now = 0;
        const calls = pauses.map((pause) => {
          now += pause;
          const taken = take(bucket, now, 1);
          bucket = taken.bucket;
          return now + taken.waitMs;
        });
        for (const [first, from] of calls.entries()) {
          for (let last = first; last < calls.length; last += 1) {
            const seconds = (calls[last]! - from) / 1000;
            // A wait is rounded up to a millisecond, so the first call may come that much late.
            expect(last - first + 1).toBeLessThanOrEqual(rate.burst + (seconds + 0.001) * rate.rate + 1e-6);
          }
        }
      }),
    );
  });
});

describe('rate after a tick', () => {
  test.each([
    ['halved by throttling', { current: 8, limit: 8, throttled: true }, 4],
    ['down to 1/64 of the limit', { current: 0.2, limit: 8, throttled: true }, 0.125],
    ['grows by a tenth of the limit', { current: 4, limit: 8, throttled: false }, 4.8],
    ['up to the limit', { current: 7.9, limit: 8, throttled: false }, 8],
    ['a limit that was lowered holds at once', { current: 8, limit: 2, throttled: true }, 2],
  ])('%s', (_, tick, rate) => {
    expect(nextRate(tick)).toBeCloseTo(rate, 10);
  });

  test('stays between the floor and the limit, and is back at the limit after ten calm ticks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 50 }),
        fc.double({ min: 0.01, max: 1e6, noNaN: true }),
        (past, limit) => {
          let current = limit;
          for (const throttled of past) {
            current = nextRate({ current, limit, throttled });
            expect(current >= limit / 64 && current <= limit).toBe(true);
          }
          for (let calm = 0; calm < 10; calm += 1) current = nextRate({ current, limit, throttled: false });
          expect(current).toBeCloseTo(limit, 5);
        },
      ),
    );
  });
});
