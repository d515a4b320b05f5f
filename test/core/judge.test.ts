import { describe, expect, test } from '@jest/globals';
import { endsWaits, judge } from '../../functions/core/judge.ts';
import type { Observation } from '../../functions/core/observation.ts';
import type { ExecutionContext } from '../../functions/core/task.ts';
import { aTask, T0 } from '../support/tasks.ts';

const WINDOW = 7_800_000;
const NOT_MET: Observation = { kind: 'not_met' };
const MET: Observation = { kind: 'met', value: 3 };
const FAILED: Observation = { kind: 'failed', reason: 'step ended in FAILED' };
const DENIED: Observation = { kind: 'error', reason: 'access denied' };
const THROTTLED: Observation = { kind: 'unknown', reason: 'throttled', throttled: true };

interface Case {
  readonly name: string;
  readonly exec?: Partial<ExecutionContext>;
  readonly observation: Observation;
  /** Seconds after the start of the try. */
  readonly at: number;
  readonly firstUnknown?: number;
  readonly event: string | undefined;
}

const cases: readonly Case[] = [
  { name: 'not met, in time', observation: NOT_MET, at: 10, event: undefined },
  // Cases 1 and 5: 600 is not > 600.
  { name: 'not met at the deadline itself', exec: { timeout: 600 }, observation: NOT_MET, at: 600, event: undefined },
  { name: 'not met after the deadline', exec: { timeout: 600 }, observation: NOT_MET, at: 600.001, event: 'timeout' },
  { name: 'met after the deadline wins', exec: { timeout: 600 }, observation: MET, at: 900, event: 'met' },
  {
    name: 'the execution timeout is a failure of its own (case 53)',
    exec: { timeout: 600, execution_timeout: 60 },
    observation: NOT_MET,
    at: 61,
    event: 'execution_timeout',
  },
  { name: 'the watched thing failed', observation: FAILED, at: 10, event: 'failed' },
  { name: 'a permanent error', observation: DENIED, at: 10, event: 'failed' },
  // Case 67
  {
    name: 'a permanent error with silent_fail',
    exec: { silent_fail: true },
    observation: DENIED,
    at: 10,
    event: undefined,
  },
  {
    name: 'a permanent error with silent_fail after the deadline',
    exec: { silent_fail: true, timeout: 60 },
    observation: DENIED,
    at: 61,
    event: 'timeout',
  },
  {
    name: 'silent_fail does not silence a failure',
    exec: { silent_fail: true },
    observation: FAILED,
    at: 1,
    event: 'failed',
  },
  // Case 15: unknown fails nothing, not even after the deadline, until the window is over.
  { name: 'unknown', observation: THROTTLED, at: 10, event: undefined },
  {
    name: 'unknown after the deadline',
    exec: { timeout: 60 },
    observation: THROTTLED,
    at: 7000,
    firstUnknown: 10,
    event: undefined,
  },
  { name: 'unknown at the end of the window', observation: THROTTLED, at: 7810, firstUnknown: 10, event: undefined },
  { name: 'unknown over the window', observation: THROTTLED, at: 7811, firstUnknown: 10, event: 'failed' },
  {
    name: 'the window of a try opens no earlier than the try',
    observation: THROTTLED,
    at: 7000,
    firstUnknown: -7000,
    event: undefined,
  },
  { name: 'an observation from before the try says nothing to it', observation: MET, at: -1, event: undefined },
];

describe('judge', () => {
  test.each(cases)('$name -> $event', ({ exec = {}, observation, at, firstUnknown, event }) => {
    const by = {
      at: T0 + at * 1000,
      infraWindowMs: WINDOW,
      ...(firstUnknown === undefined ? {} : { firstUnknownAt: T0 + firstUnknown * 1000 }),
    };
    expect(judge(aTask({ timeout: 100_000, ...exec }), observation, by)?.type).toBe(event);
  });

  test('a shared observation is judged by each task alone: one retries while another fails', () => {
    const by = { at: T0 + 1000, infraWindowMs: WINDOW };
    expect(judge(aTask({ retries: 1 }), FAILED, by)).toEqual({ type: 'failed', reason: 'step ended in FAILED' });
    expect(judge(aTask({ silent_fail: true }), DENIED, by)).toBeUndefined();
  });

  test('an outage that is over its window says so, and for how long', () => {
    const by = { at: T0 + WINDOW + 1, firstUnknownAt: T0, infraWindowMs: WINDOW };
    expect(judge(aTask(), THROTTLED, by)).toMatchObject({ reason: 'no answer for more than 130 minutes: throttled' });
  });

  test.each([
    [MET, true],
    [FAILED, true],
    [DENIED, true],
    [NOT_MET, false],
    [THROTTLED, false],
  ] as const)('%j ends waits: %s', (observation, ends) => {
    expect(endsWaits(observation)).toBe(ends);
  });
});
