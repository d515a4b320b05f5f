import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hashcodeOfText, identify, phaseMs, shardcode, targetKey } from '../../functions/core/identity.ts';

describe('hashcode', () => {
  // Computed once with Python's hashlib and json: the scheme must never drift (case 29).
  test.each([
    [
      { type: 's3_key', bucket: 'landing', key: ['a/b.csv'], wildcard_match: false },
      '3478474788074633173',
      '608c0cc7aeae6faa0537eaf2502a17700c30489348da25b253248b4dc120cd3d',
    ],
    [
      {
        type: 'emr_step',
        job_flow_id: 'j-1',
        step_id: 's-1',
        target_states: ['COMPLETED'],
        failed_states: ['CANCELLED', 'FAILED', 'INTERRUPTED'],
      },
      '8151586897547319366',
      'e24082305012b08d5f0c3bb79591214d784f987aafd2c5a0234de05a43f863ac',
    ],
    [
      { type: 's3_key', bucket: 'größe', key: ['ключ', '😀'] },
      '3955426047226583632',
      '6dc8fe11008934a05643f0a8b77f4cfc02c81c973c3453b1c988d32d8de256c0',
    ],
  ])('case 29: %j', (sensor, hashcode, full_hash) => {
    expect(identify(sensor)).toEqual({ hashcode, full_hash });
  });

  test('case 28: neither the order of fields nor the form of a number matters', () => {
    const { hashcode } = identify({ type: 't', a: 1, b: { c: 2, d: 3 } });
    expect(identify({ b: { d: 3.0, c: 2 }, a: 1.0, type: 't' }).hashcode).toBe(hashcode);
  });

  test('case 31: the type is part of it', () => {
    const context = { bucket: 'b', key: 'k' };
    expect(identify({ type: 's3_key', ...context }).hashcode).not.toBe(
      identify({ type: 's3_prefix', ...context }).hashcode,
    );
  });

  test('case 27: what cannot be hashed is refused by name', () => {
    expect(() => identify({ type: 's3_key', check_fn: () => true })).toThrow('check_fn: function');
  });

  test('case 41: shardcodes of 10^5 random contexts are in [0, limit), and each is used', () => {
    const used = new Set<number>();
    for (let at = 0; at < 100_000; at += 1) {
      const { hashcode, full_hash } = identify({ type: 's3_key', bucket: 'b', key: `k-${at}` });
      if (BigInt(hashcode) !== BigInt(`0x${full_hash.slice(0, 16)}`) >> 1n) throw new Error('not the first 63 bits');
      used.add(shardcode(hashcode, 64));
    }
    expect([...used].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 64 }, (_, code) => code));
  });

  test('shardcode is in [0, limit) for any text and limit', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 1e9 }), (text, limit) => {
        const code = shardcode(hashcodeOfText(text), limit);
        expect(Number.isInteger(code) && code >= 0 && code < limit).toBe(true);
      }),
    );
  });

  test('of a text; of a target', () => {
    expect(hashcodeOfText('task-1')).toBe('4430787370440182111');
    expect(shardcode('9223372036854775807', 10)).toBe(7);
    expect(targetKey({ queue: 'q', mode: 'smart', hashcode: '7' })).toBe('q#smart#7');
  });
});

describe('phase', () => {
  test('is within the interval, also of a fraction of a second or of years', () => {
    fc.assert(
      fc.property(fc.string(), fc.double({ min: 1, max: 1e9, noNaN: true }), (key, interval) => {
        const phase = phaseMs(key, interval);
        expect(Number.isInteger(phase) && phase >= 0 && phase < Math.round(interval * 1000)).toBe(true);
      }),
    );
  });

  test('of one key is in step at intervals that are multiples', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 1, max: 3600 }),
        fc.integer({ min: 1, max: 10 }),
        (key, base, times) => {
          expect(phaseMs(key, base * times) % (base * 1000)).toBe(phaseMs(key, base));
        },
      ),
    );
  });

  test('case 24: 6,000 distinct conditions at 600 s: no second above 25', () => {
    const bySecond = new Map<number, number>();
    for (let at = 0; at < 6000; at += 1) {
      const second = Math.floor(phaseMs(identify({ type: 's3_key', key: `k-${at}` }).hashcode, 600) / 1000);
      bySecond.set(second, (bySecond.get(second) ?? 0) + 1);
    }
    expect(Math.max(...bySecond.values())).toBeLessThanOrEqual(25);
  });

  test('10,000 equal intervals: peak to mean of calls per second at most 1.3', () => {
    const bySecond = Array.from({ length: 60 }, () => 0);
    for (let at = 0; at < 10_000; at += 1) {
      const second = Math.floor(phaseMs(hashcodeOfText(`${at}`), 60) / 1000);
      bySecond[second]! += 1;
    }
    expect(Math.max(...bySecond) / (10_000 / 60)).toBeLessThanOrEqual(1.3);
  });
});
