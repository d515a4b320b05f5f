import { describe, expect, test } from '@jest/globals';
import type { Schedule } from '../../functions/core/cadence.ts';
import { outlook, planPokes } from '../../functions/core/plan.ts';
import type { Candidate, Tick } from '../../functions/core/plan.ts';
import { T0 } from '../support/tasks.ts';

const TICK: Tick = { now: T0, to: T0 + 60_000, startBy: T0 + 50_000, spreadAbove: 50 };

function schedule(interval: number, phaseMs = 0, more: Partial<Schedule> = {}): Schedule {
  const cadence = { poke_interval: interval, exponential: false };
  return { cadence, identity: 'q#1', phaseMs, startMs: T0 - 3600_000, deadlineMs: T0 + 86_400_000, ...more };
}

function candidate(key: string, more: Partial<Candidate> = {}): Candidate {
  return {
    key,
    schedule: schedule(60, 30_000),
    operation: 's3:HeadObject',
    group: key,
    from: T0,
    urgent: false,
    ...more,
  };
}

describe('planPokes', () => {
  test('what falls due in the tick is poked at once, once', () => {
    const plan = planPokes([candidate('a'), candidate('b')], TICK);
    expect(plan).toEqual({
      rounds: [
        { startAt: T0, keys: ['a'] },
        { startAt: T0, keys: ['b'] },
      ],
      owed: [],
    });
  });

  test('what is not due is left alone', () => {
    expect(planPokes([candidate('a', { schedule: schedule(3600, 1_800_000) })], TICK).rounds).toEqual([]);
  });

  test('ticks that were missed are one catch-up poke', () => {
    const late = candidate('a', { from: T0 - 600_000, schedule: schedule(600, 300_000) });
    expect(planPokes([late], TICK).rounds).toEqual([{ startAt: T0, keys: ['a'] }]);
  });

  test('an interval under the tick is poked several times within it, each at its time', () => {
    const plan = planPokes([candidate('a', { schedule: schedule(10, 5000) })], TICK);
    expect(plan.rounds.map(({ startAt }) => (startAt - T0) / 1000)).toEqual([0, 15, 25, 35, 45]);
    // The last one falls too late in the tick to be started: first in the next.
    expect(plan.owed).toEqual(['a']);
  });

  test('what is owed or overdue comes at once, due or not', () => {
    const urgent = candidate('a', { urgent: true, schedule: schedule(3600, 1_800_000) });
    expect(planPokes([urgent], TICK).rounds).toEqual([{ startAt: T0, keys: ['a'] }]);
  });

  test('where there is room, what is owed is poked at once and again when it is due', () => {
    const owed = candidate('a', { urgent: true });
    const seconds = planPokes([owed], TICK).rounds.map(({ startAt }) => (startAt - T0) / 1000);
    expect(seconds).toEqual([0, 30]);
  });

  test('where there is not, the poke that was owed serves the due that follows it', () => {
    const owed = candidate('a', { urgent: true });
    const two = [owed, candidate('b')];
    expect(planPokes(two, { ...TICK, room: () => 2 }).rounds.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
    expect(planPokes(two, { ...TICK, room: () => 3 }).rounds).toHaveLength(3);
    // Short of one operation is not short of another; and what asks nobody is short of nothing.
    const room = (operation: string): number => (operation === 'emr:ListSteps' ? 0 : 100);
    expect(planPokes(two, { ...TICK, room }).rounds).toHaveLength(3);
  });

  test('what is urgent goes first, the nearest deadline before the others; then what has been due for longest', () => {
    const late = (key: string, phase: number): Candidate =>
      candidate(key, { from: T0 - 60_000, schedule: schedule(60, phase) });
    const soon = candidate('d', { urgent: true, schedule: schedule(60, 0, { deadlineMs: T0 + 600_000 }) });
    const plan = planPokes([late('a', 50_000), late('b', 10_000), candidate('c', { urgent: true }), soon], {
      ...TICK,
      room: () => 0,
    });
    expect(plan.rounds.map(({ keys }) => keys[0])).toEqual(['d', 'c', 'b', 'a']);
  });

  test('what shares a call is one round', () => {
    const plan = planPokes([candidate('a', { group: 'j-1' }), candidate('b', { group: 'j-1' })], TICK);
    expect(plan.rounds).toEqual([{ startAt: T0, keys: ['a', 'b'] }]);
  });

  test('more than 50 of one operation are spread evenly over the tick, by their due time', () => {
    const many = Array.from({ length: 100 }, (_, index) => {
      return candidate(`k${index}`, { schedule: schedule(60, (index * 600 + 1) % 60_000) });
    });
    const { rounds } = planPokes(many, TICK);
    const perSecond = Map.groupBy(rounds, ({ startAt }) => Math.floor(startAt / 1000));
    expect(Math.max(...[...perSecond.values()].map((same) => same.length))).toBe(2);
    expect(rounds.map(({ keys }) => keys[0])).toEqual(many.map(({ key }) => key));
    expect(rounds.at(-1)?.startAt).toBeLessThan(TICK.startBy);
  });

  test('operations are spread each by itself', () => {
    const s3 = Array.from({ length: 50 }, (_, index) => candidate(`s${index}`));
    const emr = Array.from({ length: 50 }, (_, index) => candidate(`e${index}`, { operation: 'emr:ListSteps' }));
    expect(new Set(planPokes([...s3, ...emr], TICK).rounds.map(({ startAt }) => startAt))).toEqual(new Set([T0]));
  });

  test('a datetime is not poked before its time', () => {
    const soon = candidate('a', { schedule: schedule(60, 0, { notBeforeMs: T0 + 20_000 }) });
    expect(planPokes([soon], TICK).rounds).toEqual([{ startAt: T0 + 20_000, keys: ['a'] }]);
    const later = candidate('a', { schedule: schedule(60, 0, { notBeforeMs: T0 + 55_000 }) });
    expect(planPokes([later], TICK)).toEqual({ rounds: [], owed: ['a'] });
  });

  test('a datetime whose wait is over is poked at once, however far its time is', () => {
    const over = { notBeforeMs: T0 + 7200_000, deadlineMs: T0 - 1 };
    const overdue = candidate('a', { urgent: true, schedule: schedule(60, 0, over) });
    expect(planPokes([overdue], TICK)).toEqual({ rounds: [{ startAt: T0, keys: ['a'] }], owed: [] });
  });

  test('a deadline within the tick is left to the tick after it: before it nothing can end', () => {
    const ending = candidate('a', { schedule: schedule(3600, 1_800_000, { deadlineMs: T0 + 30_000 }) });
    expect(planPokes([ending], TICK).rounds).toEqual([]);
  });
});

describe('outlook', () => {
  const to = T0 + 60_000;
  test('nothing is ever due', () => {
    expect(outlook([], [], 0, to, 60_000)).toEqual({ due: 0 });
  });

  test('the next due time, and how much is due within a tick of it', () => {
    const hourly = schedule(3600, 1_800_000);
    expect(outlook([schedule(60, 30_000), schedule(10), hourly], [], 0, to, 60_000)).toEqual({
      next_due_at: to + 10_000,
      due: 1 + 6,
    });
    expect(outlook([hourly], [], 0, to, 60_000)).toEqual({ next_due_at: T0 + 1_800_000, due: 1 });
  });

  test('a deadline that falls into this tick is work of the next, however seldom the target is poked', () => {
    const over = schedule(3600, 1_800_000, { deadlineMs: to - 10_000 });
    expect(outlook([over], [], 0, to, 60_000)).toEqual({ next_due_at: to, due: 1 });
  });

  test('a retry counts when it wakes, what is owed at once', () => {
    expect(outlook([], [to + 5000, to + 500_000], 0, to, 60_000)).toEqual({ next_due_at: to + 5000, due: 1 });
    expect(outlook([], [], 3, to, 60_000)).toEqual({ next_due_at: to, due: 3 });
  });
});
