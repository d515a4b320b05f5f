import { describe, expect, test } from '@jest/globals';
import { DEFAULT_QUEUE } from '../../functions/core/queue.ts';
import type { QueueRecord, ShardRecord } from '../../functions/core/queue.ts';
import { currentRates } from '../../functions/dispatcher/throttling.ts';
import { T0 } from '../support/tasks.ts';

const queue: QueueRecord = {
  ...DEFAULT_QUEUE,
  budgets: { s3: 400 },
  name: 'default',
  rev: 1,
  idle: false,
  active_at: T0,
  decision: { at: T0, desired: 1, running: 0, queued: 1, reason: 'due' },
};

function shard(throttled_by: Record<string, number>, at = T0 + 1000): ShardRecord {
  const counts = { targets: 1, pokes: 1, calls: 1, met: 0, unknown: 0, throttled: 1, ended: 0, started: 0, poison: 0 };
  return {
    queue: 'default',
    shard: 0,
    ticked_through: 0,
    owed: [],
    statistics: { at, worker: 'w', ...counts, throttled_by },
  };
}

describe('rates between ticks', () => {
  test('throttling halves the rate of its budget, and of no other', () => {
    const { effective, lowered } = currentRates(queue, [shard({ s3: 3 })]);
    expect(effective['s3']?.rate).toBe(200);
    expect(effective['emr:ListSteps']?.rate).toBe(0.5);
    expect(lowered).toEqual({ s3: 200 });
  });

  test('what was lowered grows back slowly, up to its limit and not beyond', () => {
    expect(currentRates({ ...queue, rates: { s3: 200 } }, []).lowered).toEqual({ s3: 240 });
    expect(currentRates({ ...queue, rates: { s3: 390 } }, [])).toMatchObject({
      lowered: {},
      effective: { s3: { rate: 400 } },
    });
  });

  test('what a tick before the last was told is not counted again', () => {
    expect(currentRates(queue, [shard({ s3: 3 }, T0 - 1000)]).lowered).toEqual({});
  });

  test('a rate of 0 stays 0 and divides nothing', () => {
    const { effective } = currentRates({ ...queue, budgets: { s3: 0 } }, []);
    expect(effective['s3']).toEqual({ rate: 0, burst: 1 });
  });
});
