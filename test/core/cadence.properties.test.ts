import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { duesIn, nextDue } from '../../functions/core/cadence.ts';
import type { Schedule } from '../../functions/core/cadence.ts';

const START = Date.UTC(2024, 0, 1);

describe('any schedule', () => {
  const schedules: fc.Arbitrary<Schedule> = fc.record(
    {
      cadence: fc.record(
        {
          poke_interval: fc.integer({ min: 1, max: 3600 }),
          exponential: fc.boolean(),
          max_wait: fc.integer({ min: 1, max: 3600 }),
        },
        { requiredKeys: ['poke_interval', 'exponential'] },
      ),
      identity: fc.string(),
      phaseMs: fc.nat({ max: 3_600_000 }),
      startMs: fc.integer({ min: START - 7_200_000, max: START + 7_200_000 }),
      deadlineMs: fc.integer({ min: START - 7_200_000, max: START + 14_400_000 }),
      notBeforeMs: fc.integer({ min: START - 7_200_000, max: START + 14_400_000 }),
    },
    { requiredKeys: ['cadence', 'identity', 'phaseMs', 'startMs', 'deadlineMs'] },
  );
  const instant = fc.integer({ min: START - 7_200_000, max: START + 14_400_000 });
  const length = fc.nat({ max: 600_000 });

  test('dues of windows that adjoin are the dues of their union', () => {
    fc.assert(
      fc.property(schedules, instant, fc.array(length, { maxLength: 5 }), (schedule, from, lengths) => {
        let edge = from;
        const apart = lengths.flatMap((ms) => {
          const dues = duesIn(schedule, edge, edge + ms, 10_000);
          edge += ms;
          return dues;
        });
        expect(duesIn(schedule, from, edge, 10_000)).toEqual(apart);
      }),
    );
  });

  test('nextDue is the first of duesIn, strictly later, and what comes between is nothing', () => {
    fc.assert(
      fc.property(schedules, instant, (schedule, after) => {
        const next = nextDue(schedule, after);
        expect(next).toBeGreaterThan(after);
        expect(duesIn(schedule, after, next, 10)).toEqual([next]);
        expect(duesIn(schedule, after, next - 1, 10)).toEqual([]);
      }),
    );
  });

  test('no window moves the deadline: it is a due, 1 ms after itself', () => {
    fc.assert(
      fc.property(schedules, length, fc.nat({ max: 600_000 }), (schedule, before, behind) => {
        const last = schedule.deadlineMs + 1;
        expect(duesIn(schedule, last - 1 - before, last + behind, 10_000)).toContain(last);
      }),
    );
  });

  test('after the deadline nobody waits longer than an interval for the next look, if the series began before it', () => {
    fc.assert(
      fc.property(schedules, fc.nat({ max: 10_000_000 }), (schedule, later) => {
        fc.pre(schedule.startMs <= schedule.deadlineMs && schedule.notBeforeMs === undefined);
        const after = schedule.deadlineMs + 1 + later;
        expect(nextDue(schedule, after) - after).toBeLessThanOrEqual(schedule.cadence.poke_interval * 1000);
      }),
    );
  });

  test('numbers of any size never throw and never loop', () => {
    const any = fc.oneof(
      fc.double({ noNaN: true }),
      fc.constantFrom(0, -0, 1e308, -1e308, Infinity, -Infinity, 8.64e15),
    );
    fc.assert(
      fc.property(any, any, any, any, any, any, fc.boolean(), (poke_interval, max_wait, a, b, c, d, isExponential) => {
        const cadence = { poke_interval, max_wait, exponential: isExponential };
        const schedule = { cadence, identity: 'i', phaseMs: a, startMs: b, deadlineMs: c };
        expect(() => nextDue(schedule, d)).not.toThrow();
        expect(duesIn(schedule, d, a, 5).length).toBeLessThanOrEqual(5);
      }),
    );
  });
});
