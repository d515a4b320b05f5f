import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { nextDue } from '../../functions/core/cadence.ts';
import type { Schedule } from '../../functions/core/cadence.ts';
import { explainDue } from '../../functions/core/due-rule.ts';
import { T0 } from '../support/tasks.ts';

const HOUR = 3_600_000;

const schedule = (cadence: Partial<Schedule['cadence']> = {}, rest: Partial<Schedule> = {}): Schedule => ({
  cadence: { poke_interval: 60, exponential: false, ...cadence },
  identity: 'default#42',
  phaseMs: 12_500,
  startMs: T0,
  deadlineMs: T0 + HOUR,
  ...rest,
});

describe('explainDue', () => {
  test('a constant interval: the interval and the phase', () => {
    expect(explainDue(schedule(), T0)).toEqual({
      dueMs: T0 + 12_500,
      how: { rule: 'interval', interval: 60, phase: 12.5 },
    });
  });

  test('the last look is the deadline’s', () => {
    expect(explainDue(schedule(), T0 + HOUR - 1)).toEqual({ dueMs: T0 + HOUR + 1, how: { rule: 'deadline' } });
  });

  test('a date: nothing before it, then every interval', () => {
    const date = schedule({}, { notBeforeMs: T0 + 90_000 });
    expect(explainDue(date, T0)).toEqual({ dueMs: T0 + 90_000, how: { rule: 'not_before', at: T0 + 90_000 } });
    expect(explainDue(date, T0 + 90_000).how).toEqual({ rule: 'interval', interval: 60, phase: 30 });
  });

  test('a growing delay: which one, its base, jitter and cap', () => {
    const { how } = explainDue(schedule({ exponential: true, max_wait: 200 }), T0 + 100_000);
    expect(how).toMatchObject({ rule: 'exponential', cap: 200 });
    if (how.rule !== 'exponential') throw new Error(how.rule);
    expect(how.delay).toBe(Math.min(how.base + how.jitter, 200));
    expect(how.jitter).toBeLessThan(how.base);
  });

  test('once it has grown to max_wait it is even', () => {
    const { how } = explainDue(schedule({ exponential: true, max_wait: 200 }), T0 + HOUR / 2);
    expect(how).toEqual({ rule: 'max_wait', interval: 200 });
  });

  test('the due is the one by which is poked, whatever the schedule', () => {
    const any = fc.record({
      exponential: fc.boolean(),
      interval: fc.integer({ min: 1, max: 5000 }),
      max_wait: fc.option(fc.integer({ min: 1, max: 5000 }), { nil: undefined }),
      notBefore: fc.option(fc.integer({ min: 0, max: HOUR }), { nil: undefined }),
      after: fc.integer({ min: -HOUR, max: 3 * HOUR }),
    });
    const holds = fc.property(any, ({ exponential, interval, max_wait, notBefore, after }) => {
      const one = schedule(
        { exponential, poke_interval: interval, ...(max_wait === undefined ? {} : { max_wait }) },
        notBefore === undefined ? {} : { notBeforeMs: T0 + notBefore },
      );
      const { dueMs, how } = explainDue(one, T0 + after);
      expect(dueMs).toBe(nextDue(one, T0 + after));
      return how.rule !== 'exponential' || how.delay === Math.min(how.base + how.jitter, how.cap ?? Infinity);
    });
    fc.assert(holds);
  });
});
