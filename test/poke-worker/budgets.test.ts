import { expect, test } from '@jest/globals';
import { DEFAULT_QUEUE } from '../../functions/core/queue.ts';
import { runBudgets } from '../../functions/poke-worker/budgets.ts';
import { T0 } from '../support/tasks.ts';

const queue = { ...DEFAULT_QUEUE, name: 'q', rev: 1, idle: false, active_at: T0 };
const decision = { at: T0, desired: 1, running: 4, queued: 0, reason: 'due' };

test("a run has its part of its queue's rates, and the whole of their bursts", () => {
  expect(runBudgets(undefined)['emr:ListSteps']).toEqual({ rate: 0.5, burst: 10 });
  expect(runBudgets(queue)['s3']).toEqual({ rate: 500, burst: 50 });
  expect(runBudgets({ ...queue, decision, budgets: { s3: 40 } })['s3']).toEqual({ rate: 10, burst: 1 });
  expect(runBudgets({ ...queue, decision, rates: { s3: 100 } })['s3']).toEqual({ rate: 25, burst: 50 });
});
