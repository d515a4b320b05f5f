import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mostRuns, shareConcurrency } from '../../functions/core/concurrency.ts';
import type { Demand } from '../../functions/core/concurrency.ts';

const want = (workers: number, runs: number, held = 0): Demand => ({ workers, held, runs });
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

describe('a tick divides the concurrency', () => {
  test.each([
    ['nobody wants', 500, [], [], 400],
    [
      'all fits; the rest may begin meanwhile',
      500,
      [want(16, 0), want(2, 30)],
      [
        [16, 0],
        [2, 30],
      ],
      370,
    ],
    [
      'a flood of runs leaves the workers their part',
      500,
      [want(16, 8000), want(16, 0)],
      [
        [16, 400],
        [16, 0],
      ],
      0,
    ],
    [
      'runs that go on leave no less to workers',
      10,
      [want(1, 8, 8), want(4, 0)],
      [
        [1, 8],
        [1, 0],
      ],
      0,
    ],
    [
      'a small queue beside a large one gets all it wants',
      100,
      [want(1, 500), want(1, 5)],
      [
        [1, 75],
        [1, 5],
      ],
      0,
    ],
    [
      'who holds much keeps it, and gets no more',
      100,
      [want(0, 90, 60), want(0, 90)],
      [
        [0, 60],
        [0, 20],
      ],
      0,
    ],
    ['workers before runs', 10, [want(8, 9)], [[8, 2]], 0],
  ] as const)('%s', (_, cap, demands, shares, spare) => {
    const divided = shareConcurrency(cap, demands, 0);
    expect(divided.shares.map(({ workers, runs }) => [workers, runs])).toEqual(shares);
    expect(divided.spare).toBe(spare);
  });

  test('more queues than there is room for: each has its turn', () => {
    const demands = Array.from({ length: 7 }, () => want(1, 0));
    const turns = Array.from({ length: 7 }, (_, turn) => shareConcurrency(2, demands, turn).shares);
    const served = demands.map((_, queue) => sum(turns.map((shares) => shares[queue]?.workers ?? 0)));
    expect(served).toEqual([2, 2, 2, 2, 2, 2, 2]);
  });

  const demand = fc
    .record({ workers: fc.nat(40), held: fc.nat(40), more: fc.nat(9000) })
    .map(({ workers, held, more }) => want(workers, held + more, held));

  test('never above the cap, never below what is held, nobody more than wanted, nothing idle, and fair', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 1000 }),
        fc.array(demand, { maxLength: 30 }),
        fc.nat(),
        (cap, all, turn) => {
          // Only as many are held as ticks before have let begin.
          let room = mostRuns(cap);
          const demands = all.map((one) => {
            const held = Math.min(one.held, room);
            room -= held;
            return { ...one, held };
          });
          const { shares, spare } = shareConcurrency(cap, demands, turn);
          const workers = sum(shares.map((share) => share.workers));
          const runs = sum(shares.map((share) => share.runs));
          expect(spare).toBeGreaterThanOrEqual(0);
          expect(workers + runs + spare).toBeLessThanOrEqual(cap);
          expect(runs + spare).toBeLessThanOrEqual(mostRuns(cap));
          const of = shares.map((share, index) => ({ share, own: demands[index] ?? want(0, 0) }));
          const isBounded = ({ share, own }: (typeof of)[number]): boolean =>
            share.runs >= own.held && share.runs <= own.runs && share.workers <= own.workers;
          expect(of.filter((one) => !isBounded(one))).toEqual([]);
          // Who has less than wanted has no less than anybody, but for the one that cannot be divided.
          const most = Math.max(0, ...shares.map((share) => share.workers));
          const mostRun = Math.max(0, ...of.map(({ share, own }) => (share.runs > own.held ? share.runs : 0)));
          const shortOfWorkers = of.filter(({ share, own }) => share.workers < own.workers);
          const shortOfRuns = of.filter(({ share, own }) => share.runs < own.runs);
          expect(shortOfWorkers.filter(({ share }) => share.workers < most - 1)).toEqual([]);
          expect(shortOfRuns.filter(({ share }) => share.runs < mostRun - 1)).toEqual([]);
          // And nothing lies idle while somebody has less than wanted.
          const held = sum(demands.map((one) => one.held));
          expect(shortOfWorkers.length === 0 || workers + held === cap).toBe(true);
          expect(shortOfRuns.length === 0 || spare === 0).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
