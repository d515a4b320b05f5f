import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cadenceOf, GRACE_MS, relaxation, wantedTarget } from '../../functions/core/membership.ts';
import type { ExecutionContext } from '../../functions/core/task.ts';
import { aTask, T0 } from '../support/tasks.ts';

const members = (...execs: Partial<ExecutionContext>[]) => execs.map((exec) => aTask(exec));

describe('the cadence of a target is that of its most eager member', () => {
  test.each([
    ['one constant', [{ poke_interval: 60 }], { poke_interval: 60, exponential: false }],
    [
      'the smallest constant',
      [{ poke_interval: 600 }, { poke_interval: 30 }],
      { poke_interval: 30, exponential: false },
    ],
    [
      'exponential while every member is',
      [
        { exponential_backoff: true, poke_interval: 60, max_wait: 600 },
        { exponential_backoff: true, poke_interval: 20 },
      ],
      { poke_interval: 20, exponential: true, max_wait: 600 },
    ],
    [
      'constant as soon as one is, whatever the base of the others',
      [{ exponential_backoff: true, poke_interval: 10 }, { poke_interval: 300 }],
      { poke_interval: 300, exponential: false },
    ],
    [
      'an exponential member is never poked more seldom than its max_wait',
      [{ exponential_backoff: true, poke_interval: 10, max_wait: 120 }, { poke_interval: 86_400 }],
      { poke_interval: 120, exponential: false },
    ],
  ] as const)('%s', (_name, execs, cadence) => {
    expect(cadenceOf(members(...execs))).toEqual(cadence);
  });

  test('whoever joins never makes it less eager', () => {
    const exec = fc.record({
      poke_interval: fc.integer({ min: 1, max: 604_800 }),
      exponential_backoff: fc.constant(false),
    });
    fc.assert(
      fc.property(fc.array(exec, { minLength: 1 }), exec, (before, joiner) => {
        const was = cadenceOf(members(...before));
        expect(cadenceOf(members(...before, joiner)).poke_interval).toBeLessThanOrEqual(was.poke_interval);
      }),
    );
  });
});

describe('relaxing', () => {
  const eager = wantedTarget([aTask({ poke_interval: 10, timeout: 60 })], 'ff', T0);
  const slow = members({ poke_interval: 600, timeout: 3600 });

  test('not while somebody may still be hidden by the index', () => {
    expect(relaxation(eager, slow, T0 + GRACE_MS - 1)).toBeUndefined();
  });

  test('after the grace: the cadence and the deadline of those who are left', () => {
    expect(relaxation(eager, slow, T0 + GRACE_MS)).toEqual({
      cadence: { poke_interval: 600, exponential: false },
      next_deadline: T0 + 3600_000,
    });
  });

  test('nothing to relax, nobody left', () => {
    expect(relaxation(eager, members({ poke_interval: 10, timeout: 60 }), T0 + GRACE_MS)).toBeUndefined();
    expect(relaxation(eager, [], T0 + GRACE_MS)).toBeUndefined();
  });
});
