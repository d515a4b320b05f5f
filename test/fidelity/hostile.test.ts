import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hostile, withstands } from '../api/hostile.ts';

const LIMIT_MS = 900_000;

test(
  '100,000 requests to all routes: no 5xx, the field is named, and what is kept can be read',
  async () => {
    const runs = fc.array(hostile, { minLength: 100, maxLength: 100 });
    await expect(fc.assert(fc.asyncProperty(runs, withstands), { numRuns: 1_000, seed: 19 })).resolves.toBeUndefined();
  },
  LIMIT_MS,
);
