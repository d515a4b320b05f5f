import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_DELAY, intervalMs, parseDuration } from '../../functions/core/duration.ts';

describe('duration', () => {
  test.each([
    [300, 300],
    [0, 0],
    [0.5, 0.5],
    ['PT5M', 300],
    ['P1DT2H', 93_600],
    ['PT1.5S', 1.5],
    ['PT1,5S', 1.5],
    ['PT0.5H', 1800],
    ['P2W', 1_209_600],
    ['P1W2DT3H4M5S', 604_800 + 2 * 86_400 + 3 * 3600 + 4 * 60 + 5],
    ['PT36H', 129_600],
    ['PT0S', 0],
  ])('%s is %d s', (input, seconds) => {
    expect(parseDuration(input)).toBe(seconds);
  });

  test.each([
    'P1Y',
    'P1M',
    'P1Y2M3D',
    'P',
    'PT',
    'P1DT',
    'PT1.5H30M',
    'PT5',
    '5M',
    '300',
    '',
    ' PT5M',
    'PT5M\n',
    'pt5m',
    '-PT5M',
    'PT-5M',
    'PT5M3H',
    'PT.5S',
    'PT1e3S',
    `P${'9'.repeat(400)}D`,
    NaN,
    Infinity,
    -Infinity,
  ])('refuses %p', (input) => {
    expect(parseDuration(input)).toBeUndefined();
  });

  test('reads back what is written, and gives no number that is none', () => {
    const part = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(part, part, part, part, (days, hours, minutes, seconds) => {
        expect(parseDuration(`P${days}DT${hours}H${minutes}M${seconds}S`)).toBe(
          days * 86_400 + hours * 3600 + minutes * 60 + seconds,
        );
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.string(), fc.stringMatching(/^P[0-9.WDTHMS]*$/)), (input) => {
        const seconds = parseDuration(input);
        expect(seconds === undefined || Number.isFinite(seconds)).toBe(true);
      }),
    );
  });

  test.each([
    [60, 60_000],
    [1.5, 1500],
    [0, 1000],
    [-1, 1000],
    [Infinity, MAX_DELAY * 1000],
  ])('an interval of %d s is %d ms', (seconds, ms) => {
    expect(intervalMs(seconds)).toBe(ms);
  });
});
