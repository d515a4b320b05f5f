import { describe, expect, test } from '@jest/globals';
import { DEFAULT_QUEUE } from '../../functions/core/queue.ts';
import type { Slots } from '../../functions/core/slots.ts';
import { grantStarts } from '../../functions/dispatcher/starts.ts';
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
    expect(await grantStarts(deps, queue, { granted: 20, left: 20 }, load, shares, T0)).toEqual([11, 4]);
    expect(deps.granted).toEqual([0]);
  });

  test('cost no write where nothing has changed', async () => {
    const deps = contended({ granted: 12, left: 12 }, 0);
    const quiet = { ...load, running: 8, runs: [0, 0, 0, 0] };
    expect(await grantStarts(deps, queue, { granted: 12, left: 12 }, quiet, shares, T0)).toEqual([0, 0]);
    expect(deps.granted).toEqual([]);
  });

  test('are shared anew when slots were claimed meanwhile', async () => {
    const deps = contended({ granted: 20, left: 20 }, 1);
    expect(await grantStarts(deps, queue, { granted: 20, left: 20 }, load, shares, T0)).toEqual([11, 3]);
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
    expect(await grantStarts(deps, queue, { granted: 20, left: 20 }, load, shares, T0)).toEqual([]);
  });
});
