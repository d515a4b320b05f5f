import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { constantDues, duesIn, nextDue, pokeDelay } from '../../functions/core/cadence.ts';
import type { Schedule } from '../../functions/core/cadence.ts';
import { pythonDatetime } from '../../functions/core/python.ts';

const START = Date.UTC(2024, 0, 1);
const STARTED = '2024-01-01 00:00:00+00:00';
const WEEK = 604_800;

/** The delays of a task of dag "d", task "t" one after the other, the remaining time counted down. */
function delays(interval: number, timeout: number, count: number, maxWait?: number): number[] {
  let remaining = timeout;
  return Array.from({ length: count }, (_, index) => {
    const delay = pokeDelay({ interval, n: index + 1, identity: 'd#t', startedAtText: STARTED, remaining, maxWait });
    remaining -= delay;
    return delay;
  });
}

function exponential(interval: number, timeout: number, max_wait?: number): Schedule {
  return {
    cadence: { poke_interval: interval, exponential: true, ...(max_wait === undefined ? {} : { max_wait }) },
    identity: 'd#t',
    phaseMs: 0,
    startMs: START,
    deadlineMs: START + timeout * 1000,
  };
}

function constant(interval: number, timeout: number, phaseMs: number): Schedule {
  const cadence = { poke_interval: interval, exponential: false };
  return { cadence, identity: 'd#t', phaseMs, startMs: START, deadlineMs: START + timeout * 1000 };
}

/** Seconds after the start. */
const seconds = (instants: readonly number[]): number[] => instants.map((at) => (at - START) / 1000);

describe('poke delay', () => {
  test.each([
    ['case 16: grows, and ends with the time that remains', 60, 3600, undefined, [41, 97, 198, 261, 957, 985, 1061]],
    ['case 17: never below a second', 1, 3600, undefined, [1, 1, 2, 5, 13]],
    ['case 18: max_wait caps after the jitter', 60, 3600, 300, [41, 97, 198, 261, 300, 300]],
    ['max_wait of 0 is none', 60, 3600, 0, [41, 97, 198, 261, 957, 985]],
  ])('%s', (_, interval, timeout, maxWait, expected) => {
    expect(delays(interval, timeout, expected.length, maxWait)).toEqual(expected);
  });

  test('the remaining time caps while there is any', () => {
    const poke = { interval: 60, n: 2, identity: 'd#t', startedAtText: STARTED };
    expect(pokeDelay({ ...poke, remaining: 0.5 })).toBe(0.5);
    expect(pokeDelay({ ...poke, remaining: 0 })).toBe(97);
    expect(pokeDelay({ ...poke, remaining: -1 })).toBe(97);
    expect(pokeDelay({ ...poke, remaining: 80, maxWait: 70 })).toBe(70);
  });

  test('case 20: numbers of any size are capped and never throw', () => {
    expect(pokeDelay({ interval: 60, n: 5000, identity: 'd#t', startedAtText: STARTED })).toBe(86_399_999_999_999);
    fc.assert(
      fc.property(
        fc.double(),
        fc.double(),
        fc.option(fc.double()),
        fc.option(fc.double()),
        (interval, n, left, most) => {
          const poke = { interval, n, identity: 'd#t', startedAtText: STARTED };
          const delay = pokeDelay({ ...poke, remaining: left ?? undefined, maxWait: most ?? undefined });
          expect(delay > 0 && delay <= 86_399_999_999_999).toBe(true);
          expect([left, most].every((cap) => cap === null || !(cap > 0) || delay <= cap)).toBe(true);
        },
      ),
    );
  });

  test('is in [b, 2b)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: WEEK }),
        fc.integer({ min: 1, max: 20 }),
        fc.string(),
        (interval, n, identity) => {
          const b = Math.max(1, Math.trunc(interval * 2 ** (n - 2)));
          const delay = pokeDelay({ interval, n, identity, startedAtText: STARTED });
          expect(Number.isInteger(delay) && delay >= b && delay < 2 * b).toBe(true);
        },
      ),
    );
  });
});

describe('constant interval', () => {
  test('is due at its phase, in (from, to]', () => {
    expect(constantDues(60, 5000, 0, 125_000)).toEqual([5000, 65_000, 125_000]);
    expect(constantDues(60, 5000, 5000, 65_000)).toEqual([65_000]);
    expect(constantDues(60, 5000, 5000, 64_999)).toEqual([]);
    expect(constantDues(60, 5000, -120_000, 0)).toEqual([-115_000, -55_000]);
    expect(constantDues(1.5, 0, 0, 4000)).toEqual([1500, 3000]);
    expect(constantDues(1, 0, 0, 1e15, 3)).toEqual([1000, 2000, 3000]);
  });

  test('nothing at or before the start; a last look 1 ms after the deadline; then on in phase', () => {
    const schedule = constant(60, 150, 7000);
    const dues = duesIn(schedule, START - 600_000, START + 300_000, 100);
    expect(seconds(dues)).toEqual([7, 67, 127, 150.001, 187, 247]);
    expect(seconds([nextDue({ ...schedule, startMs: START + 7000 }, START)])).toEqual([67]);
  });

  test('a due on the deadline itself ends nothing: it is one with the last look', () => {
    expect(seconds(duesIn(constant(60, 120, 0), START, START + 200_000, 100))).toEqual([60, 120.001, 180]);
  });

  test('case 5: interval 60, timeout 3600: 3600 is not the end, and no poke is far from it', () => {
    const dues = seconds(duesIn(constant(60, 3600, 0), START, START + 3_660_000, 100));
    expect(dues).toHaveLength(61);
    expect(dues.filter((at) => at > 3600)).toEqual([3600.001, 3660]);
  });

  test('not before an instant: due then, and again every interval if it was missed', () => {
    const at = { ...constant(60, 3600, 7000), notBeforeMs: START + 1_000_500 };
    expect(seconds(duesIn(at, START, START + 1_130_000, 100))).toEqual([1000.5, 1060.5, 1120.5]);
    const growing = { ...at, cadence: { poke_interval: 60, exponential: true } };
    expect(duesIn(growing, START, START + 1_130_000, 100)).toEqual(duesIn(at, START, START + 1_130_000, 100));
    // The deadline is a due also where it comes first.
    expect(seconds([nextDue({ ...at, deadlineMs: START + 500_000 }, START)])).toEqual([500.001]);
    // Joined later: the first poke has seen it, what is due is the repetition.
    expect(seconds([nextDue({ ...at, notBeforeMs: START - 500 }, START)])).toEqual([59.5]);
  });
});

describe('exponential series', () => {
  test('case 16: the vector as instants; the cap by the remaining time is the last look', () => {
    const dues = duesIn(exponential(60, 3600), START - 60_000, START + 3_600_001, 100);
    expect(seconds(dues)).toEqual([41, 138, 336, 597, 1554, 2539, 3600.001]);
  });

  test('case 18: with max_wait', () => {
    const dues = duesIn(exponential(60, 1500, 300), START, START + 1_500_001, 100);
    expect(seconds(dues)).toEqual([41, 138, 336, 597, 897, 1197, 1497, 1500.001]);
  });

  test('after the deadline, for as long as the answer is unknown: every interval, at most max_wait', () => {
    const after = START + 3_600_001;
    expect(seconds(duesIn(exponential(60, 3600), after, after + 180_000, 9))).toEqual([3660.001, 3720.001, 3780.001]);
    expect(seconds(duesIn(exponential(60, 3600, 20), after, after + 40_000, 9))).toEqual([3620.001, 3640.001]);
  });

  test('restarts with a join, also one after a deadline that is no longer anybody’s', () => {
    const joined = { ...exponential(60, 3600), deadlineMs: START - 1 };
    expect(seconds(duesIn(joined, START, START + 1_600_000, 9))).toEqual([41, 138, 336, 597, 1554]);
  });

  test('is its delays one after the other, capped by what remains', () => {
    const timeouts = fc.integer({ min: 1, max: 30 * 86_400 });
    const waits = fc.option(fc.integer({ min: 1, max: 7200 }), { nil: undefined });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3600 }), timeouts, waits, (interval, timeout, maxWait) => {
        const naive: number[] = [];
        let at = START;
        for (let n = 1; at < START + timeout * 1000 && n <= 200; n += 1) {
          const remaining = timeout - (at - START) / 1000;
          const startedAtText = pythonDatetime(START);
          at += 1000 * pokeDelay({ interval, n, identity: 'd#t', startedAtText, remaining, maxWait });
          naive.push(at === START + timeout * 1000 ? at + 1 : at);
        }
        expect(
          duesIn(exponential(interval, timeout, maxWait), START, START + timeout * 1000 + 1, naive.length),
        ).toEqual(naive);
      }),
    );
  });

  test('a week of capped pokes, asked every minute, is arithmetic', () => {
    const schedule = exponential(1, WEEK, 10);
    let count = 0;
    for (let from = START; from < START + WEEK * 1000; from += 60_000) {
      count += duesIn(schedule, from, from + 60_000, 100).length;
    }
    // 1, 1, 2, 5, 10 s, then every 10 s.
    expect(count).toBe(4 + Math.floor((WEEK - 1 - 9) / 10));
  });
});
