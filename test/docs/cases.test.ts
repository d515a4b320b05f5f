import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const TESTS = new URL('../', import.meta.url);
const page = readFileSync(new URL('../docs/cases.md', TESTS), 'utf8');

/** The rows of the page: the numbers of a case, and the files that it names. */
const rows = [...page.matchAll(/^\| (N?\d+(?:, N?\d+)*) \|.*\| ([^|]*) \|$/gm)].map(([, numbers = '', files = '']) => ({
  numbers: numbers.split(', '),
  files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
}));

const within = (pattern: string): string[] => globSync(pattern, { cwd: TESTS });

/** `case 24`, `cases 75 and 88`, `N027`: the numbers that a text names. */
function named(text: string): string[] {
  const lists = [...text.matchAll(/\bcases? (\d+(?:(?:, | and )\d+)*)\b/g)];
  const others = [...text.matchAll(/\bN\d{3}\b/g)].map(([number]) => number);
  return [...lists.flatMap(([, list = '']) => list.split(/, | and /)), ...others];
}

describe('docs/cases.md', () => {
  test.each(rows)('$numbers: its tests are there', ({ files }) => {
    expect(files).not.toEqual([]);
    expect(files.filter((file) => within(file).length === 0)).toEqual([]);
  });

  test('has a row for each case that a test or a scenario names', () => {
    const inTests = within('**/*.test.ts').flatMap((file) => named(readFileSync(new URL(file, TESTS), 'utf8')));
    const inScenarios = within('scenarios/case-*.json').map((file) => /case-0*(N?\d+)/.exec(file)?.[1] ?? file);
    const known = new Set(rows.flatMap(({ numbers }) => numbers));
    expect([...inTests, ...inScenarios].filter((number) => !known.has(number))).toEqual([]);
    expect(inScenarios.length).toBeGreaterThan(40);
  });
});
