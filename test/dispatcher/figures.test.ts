import { describe, expect, test } from '@jest/globals';
import type { ShardRecord, ShardStatistics } from '../../functions/core/queue.ts';
import { standingMetrics, tickMetrics } from '../../functions/dispatcher/figures.ts';
import { T0 } from '../support/tasks.ts';

const counts = { targets: 10, pokes: 8, calls: 2, met: 1, unknown: 0, throttled: 0, ended: 1, started: 0, poison: 0 };

function shardOf(shard: number, more: Partial<ShardRecord> = {}): ShardRecord {
  return { queue: 'q', shard, ticked_through: T0, owed: [], ...more };
}

function ranBy(worker: string, more: Partial<ShardStatistics> = {}): Partial<ShardRecord> {
  return { statistics: { at: T0, worker, ...counts, calls_saved: 6, poke_lag_ms: 100, ...more } };
}

describe('what the last tick did', () => {
  test('each worker counts once, however many shards it had, and what is 0 is left out', () => {
    const shards = [shardOf(0, ranBy('a')), shardOf(1, ranBy('a')), shardOf(2, ranBy('b', { poke_lag_ms: 900 }))];
    expect(tickMetrics(shards, T0)).toEqual({ pokes: 16, calls: 4, calls_saved: 12, met: 2, poke_lag_ms: 900 });
  });

  test('what an earlier tick did is told already', () => {
    expect(tickMetrics([shardOf(0, ranBy('a')), shardOf(1)], T0 + 1)).toEqual({});
  });
});

describe('how a queue stands', () => {
  test('nothing is due: what is due later is not late', () => {
    const forecast = { at: T0, next_due_at: T0 + 60_000, due: 3, recent: 0, dormant: 0 };
    expect(standingMetrics([shardOf(0, { forecast }), shardOf(1, ranBy('a'))], T0)).toEqual({
      waiting: 10,
      oldest_due_ms: 0,
    });
  });

  test('no worker came: what was due goes on being due', () => {
    const forecast = { at: T0, next_due_at: T0 + 60_000, due: 3, recent: 0, dormant: 0 };
    const { oldest_due_ms } = standingMetrics([shardOf(0), shardOf(1, { forecast })], T0 + 200_000);
    expect(oldest_due_ms).toBe(140_000);
  });

  test.each([
    [{ owed_since: T0 - 90_000 }, 90_000],
    [{ ticked_through: T0 - 30_000 }, 30_000],
  ])('what is owed is due since its record says: %p', (more, oldest_due_ms) => {
    const standing = standingMetrics([shardOf(0, { owed: ['a', 'b'], ...more })], T0);
    expect(standing).toEqual({ waiting: 0, owed: 2, oldest_due_ms });
  });
});
