import { describe, expect, test } from '@jest/globals';
import { budgetKey } from '../../functions/store/keys.ts';
import type { Booked } from '../../functions/store/store.ts';
import type { Table } from '../../functions/store/table.ts';
import { T0 } from '../support/tasks.ts';
import { setups } from './contract-setup.ts';

const ASKED = { calls: 3, everyMs: 100, leadMs: 0, until: T0 + 100_000 };

/** What every store must do with the calls of a rate budget: nobody books what is somebody's already. */
export function bookingStoreContract(suite: string, make: () => Table): void {
  const setup = setups(suite, make);

  describe('bookCalls', () => {
    test('six who book at the same time have six different parts of the budget', async () => {
      const { store, queue } = setup();
      const booked = await Promise.all(Array.from({ length: 6 }, () => store.bookCalls(queue, 's3', ASKED, T0)));
      expect(shared(booked)).toEqual([]);
    });

    test('where there is no room for all, as many as fit; where there is none, nothing', async () => {
      const { store, queue } = setup();
      const asked = { ...ASKED, until: T0 + 500 };
      expect(await store.bookCalls(queue, 's3', asked, T0)).toEqual({ from: T0, calls: 3, begun: true });
      expect(await store.bookCalls(queue, 's3', asked, T0)).toEqual({ from: T0 + 300, calls: 2, begun: false });
      expect(await store.bookCalls(queue, 's3', asked, T0)).toBeUndefined();
      // What was booked and is over is no memory.
      const later = { ...ASKED, until: T0 + 2000 };
      expect(await store.bookCalls(queue, 's3', later, T0 + 1000)).toEqual({ from: T0 + 1000, calls: 3, begun: true });
    });

    test('budgets and queues know nothing of each other', async () => {
      const { store, queue } = setup();
      for (const [of, budget] of [
        [queue, 's3'],
        [queue, 'emr:ListSteps'],
        [`${queue}-other`, 's3'],
      ] as const) {
        expect(await store.bookCalls(of, budget, ASKED, T0)).toEqual({ from: T0, calls: 3, begun: true });
      }
    });

    test('who remembers an older instant books behind what others have, and not beyond the end', async () => {
      const { store, queue } = setup();
      await store.bookCalls(queue, 's3', { ...ASKED, calls: 9 }, T0);
      const stale = { ...ASKED, until: T0 + 1000, known: T0 + 300 };
      expect(await store.bookCalls(queue, 's3', stale, T0)).toEqual({ from: T0 + 900, calls: 1, begun: false });
    });

    test('who remembers what the table has not begins anew', async () => {
      const { store, queue } = setup();
      const known = { ...ASKED, known: T0 + 5000 };
      expect(await store.bookCalls(queue, 's3', known, T0)).toMatchObject({ from: T0, calls: 3 });
      // As after a restore: what stands is over, and nothing may be booked in the past.
      await store.bookCalls(queue, 'restored', ASKED, T0 - 5000);
      expect(await store.bookCalls(queue, 'restored', known, T0)).toMatchObject({ from: T0, calls: 3 });
    });

    test('a record that cannot be read is written anew, by one of two', async () => {
      const { store, queue, table } = setup();
      await table.insertMany([{ pk: budgetKey(queue, 's3'), booked_until: 'soon' }]);
      const booked = await Promise.all([ASKED, ASKED].map((asked) => store.bookCalls(queue, 's3', asked, T0)));
      expect(shared(booked)).toEqual([]);
    });
  });
}

/**
 * Where an answer is lost and somebody books in between, a part may stay unused; none is given twice.
 * @returns the parts, by their beginnings, that are not one's alone, or in the past
 */
function shared(booked: readonly (Booked | undefined)[]): number[] {
  const starts = booked.flatMap((one) => (one === undefined ? [] : [one.from])).toSorted((a, b) => a - b);
  expect(starts.length).toBeGreaterThan(1);
  return starts.filter((at, index) => at < (index === 0 ? T0 : (starts[index - 1] ?? 0) + 300));
}
