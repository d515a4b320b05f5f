import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CLAIM_MS, capacityOf, pendingClaims, shareSlots } from '../../functions/core/slots.ts';

const T0 = 1_704_067_200_000;

describe('the room of a queue', () => {
  test.each([
    ['what is due fits', { capacity: 10, running: 2, pending: 0, waiting: [3, 1] }, { shares: [3, 1], left: 4 }],
    ['nothing is due', { capacity: 10, running: 2, pending: 0, waiting: [0, 0] }, { shares: [0, 0], left: 8 }],
    ['it is full', { capacity: 10, running: 10, pending: 0, waiting: [3] }, { shares: [0], left: 0 }],
    ['it is over-full', { capacity: 10, running: 12, pending: 3, waiting: [3, 2] }, { shares: [0, 0], left: 0 }],
    ['claims are under way', { capacity: 10, running: 2, pending: 5, waiting: [9] }, { shares: [3], left: 0 }],
    ['in proportion', { capacity: 10, running: 0, pending: 0, waiting: [30, 10] }, { shares: [8, 2], left: 0 }],
    [
      'to each at most its own',
      { capacity: 3, running: 0, pending: 0, waiting: [1, 1, 2] },
      { shares: [1, 1, 1], left: 0 },
    ],
    [
      'no more than the service has room for',
      { capacity: 10, running: 2, pending: 0, most: 3, waiting: [9] },
      { shares: [3], left: 0 },
    ],
    ['no worker, no shares', { capacity: 3, running: 1, pending: 0, waiting: [] }, { shares: [], left: 2 }],
  ])('%s', (_, room, wanted) => {
    expect(shareSlots({ most: 100, ...room })).toEqual(wanted);
  });

  test('is never given away twice, and nothing of it is kept back while something waits', () => {
    const count = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(
        count,
        count,
        count,
        count,
        fc.array(count, { maxLength: 20 }),
        (capacity, running, pending, most, waiting) => {
          const { shares, left } = shareSlots({ capacity, running, pending, most, waiting });
          const free = Math.max(0, capacity - running - pending);
          const given = shares.reduce((sum, share) => sum + share, 0);
          const due = waiting.reduce((sum, one) => sum + one, 0);
          expect(given + left).toBe(given < due ? given : free);
          expect(given).toBe(Math.min(due, free, most));
          expect(shares.every((share, index) => share >= 0 && share <= (waiting[index] ?? 0))).toBe(true);
        },
      ),
    );
  });

  test.each([
    [16, 500, 8000],
    [4, 25, 100],
    [0, 500, 0],
    [1, 0.5, 0],
  ])('%i workers of %d each run %i at once', (max_workers, worker_concurrency, runs) => {
    expect(capacityOf({ max_workers, worker_concurrency })).toBe(runs);
  });
});

describe('claimed slots', () => {
  test.each([
    ['of a queue without slots', undefined, 0],
    ['that nobody claimed', { granted: 10, left: 10 }, 0],
    ['claimed just now', { granted: 10, left: 7, claimed_at: T0 - 1 }, 3],
    ['claimed long ago: they run, or they never will', { granted: 10, left: 7, claimed_at: T0 - CLAIM_MS }, 0],
  ])('%s', (_, slots, pending) => {
    expect(pendingClaims(slots, T0)).toBe(pending);
  });
});
