import { describe, expect, test } from '@jest/globals';
import { readScenario } from '../../simulator/format.ts';
import { generate } from '../../simulator/random/generate.ts';
import { runSeed, shrink } from '../../simulator/random/seed.ts';

/** Seeds that run with the unit tests; `npm run simulate -- --seeds 2000` runs more. */
const SEEDS = 60;

describe('random scenarios', () => {
  test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'seed %i breaks no rule',
    async (seed) => {
      expect((await runSeed(seed)).violations).toEqual([]);
    },
    60_000,
  );

  test('the same seed is the same scenario, one that a file could hold, and the same run to the letter', async () => {
    for (const seed of [3, 4, 5]) {
      expect(generate(seed)).toEqual(generate(seed));
      expect(readScenario(JSON.parse(JSON.stringify(generate(seed))))).toEqual(generate(seed));
      const { hash } = await runSeed(seed, undefined, { hashed: true });
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
      expect((await runSeed(seed, undefined, { hashed: true })).hash).toBe(hash);
    }
    expect(generate(3)).not.toEqual(generate(4));
  }, 60_000);

  test('a failing seed is cut down to the shortest prefix of steps that fails, and to the faults that it needs', async () => {
    const seed = 3;
    const whole = generate(seed);
    const least = await shrink(seed, 'join-after-put');
    expect(least.steps).toEqual(whole.steps.slice(0, least.steps.length));
    expect(least.steps.length).toBeLessThan(whole.steps.length);
    expect(least.faults).toEqual([]);
  }, 60_000);
});
