import { describe, expect, test } from '@jest/globals';
import { DEFAULT_QUEUE } from '../../functions/core/queue.ts';
import type { Slots } from '../../functions/core/slots.ts';
import { grantStarts, leaveSpare } from '../../functions/dispatcher/starts.ts';
import { TableError } from '../../functions/store/table.ts';
import { T0 } from '../support/tasks.ts';

const queue = {
  ...DEFAULT_QUEUE,
  worker_concurrency: 10,
  max_workers: 2,
  name: 'q',
  rev: 1,
  idle: false,
  active_at: T0,
};
const load = { running: 5, queued: 40, runs: [30, 0, 10, 0], dormant: false, empty: false };
const shares = [
  [0, 1],
  [2, 3],
];

/** Slots of which somebody claims some while they are shared, so many times. */
function contended(slots: Slots, claims: number) {
  let stands = slots;
  let left = claims;
  const granted: number[] = [];
  const store = {
    slots: async () => stands,
    async grantSlots(_queue: string, seen: Slots | undefined, free: number) {
      if (left > 0) {
        left -= 1;
        stands = { ...stands, left: stands.left - 1, claimed_at: T0 };
      }
      if (seen?.left !== stands.left) return false;
      granted.push(free);
      return true;
    },
  };
  return { store, granted, log: (): void => undefined };
}

describe('starts of a tick', () => {
  test('are what the running ones leave, by what is due with each worker; the rest is written first', async () => {
    const deps = contended({ granted: 20, left: 20 }, 0);
    expect(await grantStarts(deps, queue, { granted: 20, left: 20 }, load, shares, 100, T0)).toEqual([11, 4]);
    expect(deps.granted).toEqual([0]);
  });

  test('cost no write where nothing has changed', async () => {
    const deps = contended({ granted: 12, left: 12 }, 0);
    const quiet = { ...load, running: 8, runs: [0, 0, 0, 0] };
    expect(await grantStarts(deps, queue, { granted: 12, left: 12 }, quiet, shares, 100, T0)).toEqual([0, 0]);
    expect(deps.granted).toEqual([]);
  });

  test('are shared anew when slots were claimed meanwhile', async () => {
    const deps = contended({ granted: 20, left: 20 }, 1);
    expect(await grantStarts(deps, queue, { granted: 20, left: 20 }, load, shares, 100, T0)).toEqual([11, 3]);
  });

  test.each([
    ['in every attempt', contended({ granted: 20, left: 20 }, 9)],
    [
      'by a table that does not answer',
      {
        store: {
          slots: async () => undefined,
          grantSlots: () => Promise.reject(new TableError('no answer')),
        },
        log: (): void => undefined,
      },
    ],
  ])('are none where they cannot be written: %s', async (_, deps) => {
    expect(await grantStarts(deps, queue, { granted: 20, left: 20 }, load, shares, 100, T0)).toEqual([]);
  });
});

describe('what is left to all queues until the next tick', () => {
  const settings = { max_concurrency: 500 };
  const seen = { granted: 400, left: 400 };

  test('stands before any run is started; unchanged, it costs no write', async () => {
    const deps = contended(seen, 0);
    expect(await leaveSpare({ ...deps, settings }, seen, 120)).toBe(true);
    expect(deps.granted).toEqual([120]);
    const quiet = contended(seen, 0);
    expect(await leaveSpare({ ...quiet, settings }, seen, 400)).toBe(true);
    expect(await leaveSpare({ ...quiet, settings }, undefined, 400)).toBe(true);
    expect(quiet.granted).toEqual([]);
  });

  test('is less by what was claimed since the loads were counted, also where that is all that changed', async () => {
    const deps = contended(seen, 2);
    expect(await leaveSpare({ ...deps, settings }, seen, 120)).toBe(true);
    expect(deps.granted).toEqual([118]);
    const claimed = contended({ granted: 400, left: 390 }, 0);
    expect(await leaveSpare({ ...claimed, settings }, seen, 5)).toBe(true);
    expect(claimed.granted).toEqual([0]);
  });

  test('is less than it could be where what stood before could not be read', async () => {
    const deps = contended({ granted: 300, left: 290 }, 0);
    expect(await leaveSpare({ ...deps, settings }, undefined, 120)).toBe(true);
    expect(deps.granted).toEqual([10]);
  });

  test('does not stand where others claim without end, or the table does not answer', async () => {
    expect(await leaveSpare({ ...contended(seen, 9), settings }, seen, 120)).toBe(false);
    const store = { slots: async () => seen, grantSlots: () => Promise.reject(new TableError('no answer')) };
    expect(await leaveSpare({ store, log: () => undefined, settings }, seen, 120)).toBe(false);
  });
});
