import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { identify, shardcode } from '../../functions/core/identity.ts';
import { codesOf, shardOf, shareShards } from '../../functions/core/ranges.ts';

const upTo = (max: number) => fc.integer({ min: 1, max });

describe('shards', () => {
  test.each([
    [3333, 10_000, 3, 0],
    [3334, 10_000, 3, 1],
    [9999, 10_000, 3, 2],
    [0, 64, 16, 0],
    [3, 64, 16, 0],
    [4, 64, 16, 1],
    [63, 64, 16, 15],
    [1, 2, 5, 2],
  ])('case 40: code %i of %i in %i shards -> %i', (code, limit, shards, shard) => {
    expect(shardOf(code, limit, shards)).toBe(shard);
  });

  test('16 shards of 64 codes hold 4 each', () => {
    expect(codesOf(0, 64, 16)).toEqual({ from: 0, to: 4 });
    expect(codesOf(15, 64, 16)).toEqual({ from: 60, to: 64 });
  });

  test('case 48: a thousand waits lie evenly on two shards', () => {
    const codes = Array.from({ length: 1000 }, (_, n) => {
      const sensor = { type: 's3_key', bucket: 'landing', key: [`part-${n}`], wildcard_match: false };
      return shardcode(identify(sensor).hashcode, 64);
    });
    const first = codes.filter((code) => shardOf(code, 64, 2) === 0).length;
    expect(first).toBeGreaterThanOrEqual(350);
    expect(first).toBeLessThanOrEqual(650);
  });

  test('case 40: contiguous ranges own every code exactly once, also with more shards than codes', () => {
    fc.assert(
      fc.property(upTo(3000), upTo(3000), (limit, shards) => {
        let next = 0;
        for (let shard = 0; shard < shards; shard += 1) {
          const { from, to } = codesOf(shard, limit, shards);
          if (from !== next || to < from) throw new Error(`a gap or an overlap before shard ${shard}`);
          for (let code = from; code < to; code += 1) {
            if (shardOf(code, limit, shards) !== shard) throw new Error(`code ${code} has another owner`);
          }
          next = to;
        }
        expect(next).toBe(limit);
      }),
    );
  });

  test('differ by one code at most', () => {
    fc.assert(
      fc.property(upTo(1000), upTo(1000), (limit, shards) => {
        const sizes = Array.from({ length: shards }, (_, shard) => {
          const { from, to } = codesOf(shard, limit, shards);
          return to - from;
        });
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('shares of shards', () => {
  test.each([
    [16, 1, [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]]],
    [4, 4, [[0], [1], [2], [3]]],
    [
      5,
      2,
      [
        [0, 1, 2],
        [3, 4],
      ],
    ],
    [2, 5, [[0], [1]]],
    [16, 0, []],
  ])('%i shards for %i workers', (shards, workers, shares) => {
    expect(shareShards(shards, workers)).toEqual(shares);
  });

  test('every shard exactly once and in order, no empty share, as many shares as there can be', () => {
    fc.assert(
      fc.property(upTo(500), upTo(500), (shards, workers) => {
        const shares = shareShards(shards, workers);
        expect(shares.flat()).toEqual(Array.from({ length: shards }, (_, shard) => shard));
        expect(shares).toHaveLength(Math.min(shards, workers));
        expect(shares.every((share) => share.length > 0)).toBe(true);
      }),
    );
  });
});
