import { expect, test } from '@jest/globals';
import { createStore } from '../../functions/store/create-store.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import { T0 } from '../support/tasks.ts';

function aStore() {
  let ids = 0;
  return createStore({ table: createMemoryTable(), newId: () => `op-${(ids += 1)}` });
}

const ASKED = { calls: 3, everyMs: 100, leadMs: 0, until: T0 + 100_000 };

test('fifty who book at the same time have fifty different parts of the budget', async () => {
  const store = aStore();
  const booked = await Promise.all(Array.from({ length: 50 }, () => store.bookCalls('q', 's3', ASKED, T0)));
  const starts = booked.map((one) => one?.from ?? 0).toSorted((a, b) => a - b);
  expect(starts).toEqual(Array.from({ length: 50 }, (_, n) => T0 + n * 300));
});

test('where there is no room for all, as many as fit; where there is none, nothing', async () => {
  const store = aStore();
  const until = T0 + 500;
  expect(await store.bookCalls('q', 's3', { ...ASKED, until }, T0)).toEqual({ from: T0, calls: 3, begun: true });
  expect(await store.bookCalls('q', 's3', { ...ASKED, until }, T0)).toEqual({ from: T0 + 300, calls: 2, begun: false });
  expect(await store.bookCalls('q', 's3', { ...ASKED, until }, T0)).toBeUndefined();
  // What was booked and is over is no memory.
  const later = { ...ASKED, until: T0 + 2000 };
  expect(await store.bookCalls('q', 's3', later, T0 + 1000)).toEqual({ from: T0 + 1000, calls: 3, begun: true });
});

test('budgets and queues know nothing of each other', async () => {
  const store = aStore();
  for (const [queue, budget] of [
    ['q', 's3'],
    ['q', 'emr:ListSteps'],
    ['other', 's3'],
  ] as const) {
    expect(await store.bookCalls(queue, budget, ASKED, T0)).toEqual({ from: T0, calls: 3, begun: true });
  }
});
