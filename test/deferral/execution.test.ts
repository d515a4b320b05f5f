import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextDue } from '../../functions/core/cadence.ts';
import type { Target } from '../../functions/core/target.ts';
import { executionName, isServed, nextWake, waitUntil } from '../../functions/deferral/execution.ts';
import { sensorCatalog } from '../../functions/sensors/registry.ts';
import { scheduleOf } from '../../functions/shard-worker/schedule.ts';
import { T0 } from '../support/tasks.ts';

const HOUR = 3600 * 1000;

const target = (fields: Partial<Target> = {}): Target => ({
  queue: 'q',
  mode: 'deferrable',
  hashcode: '42',
  shardcode: 42,
  sensor: { type: 's3_key', bucket: 'b', key: ['k'], wildcard_match: false },
  full_hash: 'f'.repeat(64),
  poke_interval: 600,
  exponential: false,
  next_deadline: T0 + 5 * HOUR,
  rev: 7,
  joined_at: T0,
  first_poke_at: T0,
  ...fields,
});

describe('the name of an execution', () => {
  const long = target({ queue: 'q'.repeat(64), generation: T0 * 10, hop: 99_999 });

  test('fits, and says which hash, generation and hop', () => {
    expect(executionName(long)).toMatch(/^[0-9a-f]{40}-17040672000000-99999$/);
    expect(executionName(long).length).toBeLessThanOrEqual(80);
  });

  test.each([{ queue: 'p' }, { full_hash: 'e'.repeat(64) }, { generation: 1 }, { hop: 0 }])(
    'differs by %j',
    (other) => {
      expect(executionName({ ...long, ...other })).not.toBe(executionName(long));
    },
  );
});

test.each([
  [T0, '2024-01-01T00:00:00.000Z'],
  [T0 + 1, '2024-01-01T00:00:01.000Z'],
  [T0 + 999, '2024-01-01T00:00:01.000Z'],
])('a Wait state takes whole seconds, and never wakes early: %d', (due, expected) => {
  expect(waitUntil(due)).toBe(expected);
});

describe('an execution serves its target', () => {
  const known = { poke_interval: 600, exponential: false, next_deadline: T0 + 5 * HOUR, joined_at: T0 };
  const next = nextWake(sensorCatalog, target(), T0 + 1000);

  test.each<[string, boolean, Partial<Target>]>([
    ['that has not changed', true, {}],
    ['not where nothing is known', false, { known: undefined as never }],
    ['not one that is new to it, more often', false, { poke_interval: 10 }],
    ['that somebody joined who is less eager', true, { joined_at: T0 + 900, next_deadline: T0 + 5 * HOUR }],
    ['whose deadline comes after the next poke, however near', true, { next_deadline: next + 1 }],
    ['not one whose deadline comes before it', false, { next_deadline: next - 1000 }],
    ['not one whose series begins again', false, { exponential: true, poke_interval: 60, joined_at: T0 + 900 }],
    ['whose cadence is slower than it knew', true, { poke_interval: 6000 }],
  ])('%s: %s', (_, served, fields) => {
    expect(isServed(sensorCatalog, target({ known, ...fields }), T0 + 1000)).toBe(served);
  });

  test('if and only if it wakes no later than the target needs', () => {
    const schedule = fc.record({
      poke_interval: fc.integer({ min: 1, max: 5000 }),
      exponential: fc.boolean(),
      next_deadline: fc.integer({ min: 0, max: 10 * HOUR }).map((ms) => T0 + ms),
      joined_at: fc.integer({ min: 0, max: HOUR }).map((ms) => T0 + ms),
    });
    const instants = fc.integer({ min: HOUR, max: 12 * HOUR }).map((ms) => T0 + ms);
    fc.assert(
      fc.property(schedule, schedule, instants, (is, was, now) => {
        const needs = nextDue(scheduleOf(sensorCatalog, target(is)), now);
        const wakes = nextDue(scheduleOf(sensorCatalog, target(was)), now);
        expect(isServed(sensorCatalog, target({ ...is, known: was }), now)).toBe(wakes <= needs);
      }),
    );
  });
});
