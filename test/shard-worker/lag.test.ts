import { describe, expect, test } from '@jest/globals';
import type { Candidate } from '../../functions/core/plan.ts';
import { createLag, dueSince } from '../../functions/shard-worker/lag.ts';
import { T0 } from '../support/tasks.ts';

const cadence = { poke_interval: 60, exponential: false };
const schedule = { cadence, identity: 'q#1', phaseMs: 0, startMs: T0, deadlineMs: T0 + 86_400_000 };

describe('the lag of a run', () => {
  test('is that of its latest poke; who is poked early is not late', () => {
    const lag = createLag(T0);
    lag.expect('late', T0 - 5000, schedule);
    lag.expect('early', T0 + 9000, schedule);
    lag.poked('late', T0 + 1000);
    lag.poked('early', T0);
    // Again in the same tick, at its own time.
    lag.poked('late', T0 + 30_000);
    expect(lag.latestMs()).toBe(6000);
  });

  test('what is owed is due since it was due; what was poked and is owed again, since it was due again', () => {
    const lag = createLag(T0);
    lag.expect('left', T0 - 7000, schedule);
    lag.expect('poked', T0 - 9000, schedule);
    lag.poked('poked', T0 + 500);
    expect(lag.oldest(['left', 'poked'])).toBe(T0 - 7000);
    const again = lag.oldest(['poked']);
    expect(again).toBeGreaterThan(T0 + 500);
    expect(again).toBeLessThanOrEqual(T0 + 60_500);
    expect(lag.oldest(['unheard-of'])).toBe(T0);
    expect(lag.oldest([])).toBeUndefined();
  });
});

describe('since when a poke is due', () => {
  const candidate: Candidate = { key: 'k', schedule, group: 'k', from: T0, urgent: false };
  const record = { queue: 'q', shard: 0, ticked_through: T0, owed: ['k'], owed_since: T0 - 180_000 };

  test('as its cadence says', () => {
    const due = dueSince(candidate, record);
    expect(due).toBeGreaterThan(T0);
    expect(due).toBeLessThanOrEqual(T0 + 60_000);
  });

  test('a shard that nothing was due in for long is not late with who has just joined', () => {
    const due = dueSince({ ...candidate, from: T0 - 86_400_000 }, record);
    expect(due).toBeGreaterThan(T0);
  });

  test('what is owed: as the shard notes', () => {
    expect(dueSince({ ...candidate, urgent: true }, record)).toBe(T0 - 180_000);
  });
});
