import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isEligible, retryDelay } from '../../functions/core/retry.ts';

const coordinates = { dag_id: 'd', task_id: 't', logical_date: '2024-01-01 00:00:00+00:00' };

describe('eligibility', () => {
  test.each([
    ['another try is left', { try_number: 1, max_tries: 3 }, true],
    ['the last of them', { try_number: 3, max_tries: 3 }, true],
    ['all are used', { try_number: 4, max_tries: 3 }, false],
    ['there were none', { try_number: 1, max_tries: 0 }, false],
    ['restarting needs none', { restarting: true, try_number: 9, max_tries: 0 }, true],
    ['not restarting', { restarting: false, try_number: 9, max_tries: 0 }, false],
  ])('case 70: %s', (_, task, eligible) => {
    expect(isEligible(task)).toBe(eligible);
  });
});

describe('retry delay', () => {
  test('the vector: 300 s, tries 1 to 7', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7].map(
      (try_number) => retryDelay({ retry_delay: 300, factor: 2, coordinates, try_number }).delay,
    );
    expect(delays).toEqual([521, 817, 1518, 4341, 9117, 9625, 27_180]);
  });

  // Computed with Python: dag_id and logical_date missing, task_id "t", tries 1 to 5.
  test.each([
    [300, 1.5, [314, 841, 737, 1173, 2641]],
    [10, 3, [14, 31, 152, 530, 1070]],
    [300, 1.1, [314, 421, 604, 400, 560]],
    [300, 0.5, [314, 241, 137, 52, 33]],
  ])('%d s, factor %d, missing coordinates are None', (retry_delay, factor, delays) => {
    const computed = [1, 2, 3, 4, 5].map(
      (try_number) => retryDelay({ retry_delay, factor, coordinates: { task_id: 't' }, try_number }).delay,
    );
    expect(computed).toEqual(delays);
  });

  test('case 20: retries 1000, try 1017: the cap', () => {
    const retry = { retry_delay: 300, factor: 2, coordinates, try_number: 1017 };
    expect(retryDelay({ ...retry, max_retry_delay: 3600 })).toMatchObject({ delay: 3600, cap: 3600 });
    expect(retryDelay(retry)).toMatchObject({ base: 86_400, delay: 86_400, cap: 86_400 });
  });

  test('case 21: factor 5, 240 s: base 240, 1200, 6000, each in [b, 2b)', () => {
    const delays = [1, 2, 3].map((try_number) => retryDelay({ retry_delay: 240, factor: 5, coordinates, try_number }));
    expect(delays.map(({ base }) => base)).toEqual([240, 1200, 6000]);
    for (const { base, delay } of delays) expect(delay >= base && delay < 2 * base).toBe(true);
  });

  test('case 23: base, jitter and cap are told', () => {
    expect(retryDelay({ retry_delay: 300, factor: 2, max_retry_delay: 400, coordinates, try_number: 1 })).toEqual({
      base: 300,
      jitter: 221,
      cap: 400,
      delay: 400,
    });
  });

  test('case 25: 300 s, try 2: at most 1200 s', () => {
    const { delay } = retryDelay({ retry_delay: 300, factor: 2, coordinates, try_number: 2 });
    expect(delay).toBeLessThanOrEqual(1200);
  });

  test.each([0, 1])('factor %d is constant: no jitter and, as in Airflow 3, no cap', (factor) => {
    const retry = { retry_delay: 7200, factor, max_retry_delay: 3600, coordinates, try_number: 5 };
    expect(retryDelay(retry)).toEqual({ base: 7200, jitter: 0, delay: 7200 });
  });

  test('24 h come before a longer max_retry_delay; a max_retry_delay of 0 is none', () => {
    const retry = { retry_delay: 300, factor: 2, coordinates, try_number: 20 };
    expect(retryDelay({ ...retry, max_retry_delay: 1e6 }).delay).toBe(86_400);
    expect(retryDelay({ ...retry, max_retry_delay: 0 }).delay).toBe(86_400);
  });

  test('any numbers: never throws, and stays in bounds', () => {
    const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, 1e308, 5e-324));
    fc.assert(
      fc.property(anyNumber, fc.double({ min: 1.01 }), anyNumber, anyNumber, (retry_delay, factor, cap, try_number) => {
        const { base, jitter, delay } = retryDelay({
          retry_delay,
          factor,
          max_retry_delay: cap,
          coordinates,
          try_number,
        });
        expect(base >= 1 && jitter >= 0 && jitter < base).toBe(true);
        expect(delay > 0 && delay <= 86_400 && delay <= base + jitter).toBe(true);
        expect(!(cap > 0) || delay <= cap).toBe(true);
      }),
    );
  });
});
