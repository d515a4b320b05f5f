import { expect, test } from '@jest/globals';
import { CORE_SCENARIOS } from '../../simulator/core-scenarios.ts';
import { crashPoints } from '../../simulator/crash-points.ts';

test.each(CORE_SCENARIOS)(
  '$scenario.name: whatever call is the last before a crash, and whatever answer is lost, the end is the same',
  async ({ scenario, outcome, brief }) => {
    const { calls, runs, wrong } = await crashPoints(scenario, outcome, brief);
    expect(wrong).toEqual([]);
    expect(runs).toBeGreaterThan(calls);
  },
  120_000,
);
