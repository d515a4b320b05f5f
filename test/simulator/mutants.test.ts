import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { MUTANTS } from '../../simulator/mutants.ts';
import { runSeed } from '../../simulator/random/seed.ts';

/** Which seed catches which planted fault: `npm run simulate -- --mutants` looks for them anew. */
const caught = JSON.parse(readFileSync(new URL('mutants.json', import.meta.url), 'utf8')) as Record<string, number>;

describe('planted faults', () => {
  test('each has a seed that catches it', () => {
    expect(Object.keys(caught).toSorted()).toEqual(Object.keys(MUTANTS).toSorted());
  });

  test.each(Object.entries(caught))(
    '%s is caught by seed %i, which passes without it',
    async (name, seed) => {
      expect((await runSeed(seed)).violations).toEqual([]);
      expect((await runSeed(seed, name)).violations).not.toEqual([]);
    },
    60_000,
  );
});
