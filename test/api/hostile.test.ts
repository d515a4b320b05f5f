import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hostile, withstands } from './hostile.ts';

// 5,000 requests; `npm run fidelity` sends 100,000.
test('whatever comes to whichever route: no 5xx, the field is named, and what is kept can be read', async () => {
  const runs = fc.array(hostile, { minLength: 100, maxLength: 100 });
  await expect(fc.assert(fc.asyncProperty(runs, withstands), { numRuns: 50, seed: 17 })).resolves.toBeUndefined();
});
