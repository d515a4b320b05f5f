import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chooseMode, estimate, pokesOf } from '../../functions/core/cost.ts';
import type { Wait } from '../../functions/core/cost.ts';
import type { Mode } from '../../functions/core/task.ts';
import { EXEC } from '../support/tasks.ts';

function aWait(more: Partial<Wait> = {}, exec: Partial<Wait['exec']> = {}): Wait {
  return { exec: { ...EXEC, ...exec }, duplicates: 1, seconds: 3600, callsAPoke: 1, atOnce: false, ...more };
}

const of = (mode: Mode, wait: Wait) => {
  const found = estimate(wait).find((one) => one.mode === mode);
  if (found === undefined) throw new Error(`no estimate of ${mode}`);
  return found;
};

describe('estimate', () => {
  test('an hour at a minute is 61 pokes; a date is looked at when it has come', () => {
    expect(pokesOf(aWait())).toBe(61);
    expect(pokesOf(aWait({ atOnce: true }))).toBe(2);
    expect(pokesOf(aWait({}, { exponential_backoff: true }))).toBeLessThan(12);
  });

  test('smart and deferrable share a poke over all duplicates, the others do not', () => {
    const wait = aWait({ duplicates: 1000 });
    expect(of('smart', wait).calls).toBe(61);
    expect(of('deferrable', wait).calls).toBe(61);
    expect(of('reschedule', wait).calls).toBe(61_000);
    expect(of('poke', wait).calls).toBe(61_000);
  });

  test('an idle poke writes nothing in smart mode: a longer wait costs no more writes', () => {
    expect(of('smart', aWait({ seconds: 36_000 })).writes).toBe(of('smart', aWait()).writes);
    expect(of('reschedule', aWait({ seconds: 36_000 })).writes).toBeGreaterThan(of('reschedule', aWait()).writes * 9);
  });

  test('Step Functions bills three transitions a poke (facts: 75 dollars a million of them), smart mode none', () => {
    expect(of('deferrable', aWait()).transitions).toBe(60 * 3 + 1);
    expect(of('smart', aWait()).transitions).toBe(0);
    const entering = aWait({ seconds: 0, atOnce: true });
    expect(of('deferrable', entering).dollars - of('smart', entering).dollars).toBeGreaterThan(75e-6);
  });

  test('only the poke mode holds a worker for all of the wait', () => {
    expect(of('poke', aWait()).worker_seconds).toBe(3600);
    expect(of('reschedule', aWait()).worker_seconds).toBeLessThan(10);
    expect(of('smart', aWait()).worker_seconds).toBe(0);
  });

  test('every number is finite and none is negative, whatever the wait', () => {
    const wait = fc.record({
      exec: fc.record({
        poke_interval: fc.double({ min: 1, max: 604_800, noNaN: true }),
        exponential_backoff: fc.boolean(),
        timeout: fc.double({ min: 1, max: 31_536_000, noNaN: true }),
      }),
      duplicates: fc.integer({ min: 1, max: 10_000_000 }),
      seconds: fc.double({ min: 0, max: 31_536_000, noNaN: true }),
      callsAPoke: fc.nat(10),
      atOnce: fc.boolean(),
    });
    fc.assert(
      fc.property(wait, (one) => {
        for (const { mode: _, ...numbers } of estimate(one)) {
          for (const value of Object.values(numbers)) expect(value).toBeGreaterThanOrEqual(0);
          expect(Number.isFinite(numbers.dollars)).toBe(true);
        }
      }),
    );
  });
});

describe('auto', () => {
  test.each([
    ['an hour at a minute', aWait(), 'smart'],
    ['an interval that smart mode cannot keep', aWait({}, { poke_interval: 5 }), 'deferrable'],
    ['many duplicates', aWait({ duplicates: 1000 }), 'smart'],
  ] as const)('%s', (_name, wait, mode) => {
    const choice = chooseMode(wait);
    expect(choice.mode).toBe(mode);
    expect(choice.why).toMatch(/smart .* \$, deferrable .* \$/);
  });

  test('a long wait of few pokes is cheaper in an execution of its own than in every tick', () => {
    expect(chooseMode(aWait({ atOnce: true, seconds: 31_536_000 })).mode).toBe('deferrable');
  });
});
