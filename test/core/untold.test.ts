import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tokenDigest } from '../../functions/core/identity.ts';
import { LONGEST_PAUSE_MS, pauseAfter, refusedAgain } from '../../functions/core/untold.ts';
import type { Untold } from '../../functions/core/untold.ts';

const MARK: Untold = {
  receiver: 'bus',
  fact: { id: 'a~1#success', task_id: 'a', try_id: 'a~1', state: 'success', at: '2024-01-01T00:00:00.000Z' },
  since: 0,
  tries: 1,
  why: 'Down',
  wake_at: 60_000,
};

describe('case N025: the pauses before who is untold is told again', () => {
  test('none before a first try, then 1, 2, 4, 8 and ever 15 minutes', () => {
    const minutes = [0, 1, 2, 3, 4, 5, 6, 3000].map((tries) => pauseAfter(tries) / 60_000);
    expect(minutes).toEqual([0, 1, 2, 4, 8, 15, 15, 15]);
  });

  test('they never get shorter, and the longest is a bound', () => {
    fc.assert(
      fc.property(fc.nat(100_000), (tries) => {
        expect(pauseAfter(tries + 1)).toBeGreaterThanOrEqual(pauseAfter(tries));
        expect(pauseAfter(tries)).toBeLessThanOrEqual(LONGEST_PAUSE_MS);
      }),
    );
  });

  test('a refusal counts, keeps what is told and since when it is not, and ends the next pause in the future', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(1e12), (tries, now) => {
        const next = refusedAgain({ ...MARK, tries }, 'Throttled', now);
        expect(next).toEqual({ ...MARK, tries: tries + 1, why: 'Throttled', wake_at: now + pauseAfter(tries + 1) });
        expect(next.wake_at).toBeGreaterThan(now);
      }),
    );
  });
});

test('a digest tells tokens apart and holds nothing of them', () => {
  expect(tokenDigest('AQCE-a')).toMatch(/^[0-9a-f]{32}$/);
  expect(tokenDigest('AQCE-a')).toBe(tokenDigest('AQCE-a'));
  expect(tokenDigest('AQCE-a')).not.toBe(tokenDigest('AQCE-b'));
});
