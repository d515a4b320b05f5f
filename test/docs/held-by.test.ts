import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '..', '..');

/** Pages that say which test holds what they promise. */
const PAGES = ['docs/threat-model.md', 'docs/facts.md', 'docs/limits.md'];

test.each(PAGES)('%s: each test that it names is there', (page) => {
  const text = readFileSync(resolve(ROOT, page), 'utf8');
  const named = [...text.matchAll(/`(test\/[^`\s]+\.(?:ts|json))`/g)].map(([, file = '']) => file);
  expect(named.filter((file) => !file.includes('*') && !existsSync(resolve(ROOT, file)))).toEqual([]);
});

test('the threat model has a test for each threat that is held', () => {
  const text = readFileSync(resolve(ROOT, 'docs/threat-model.md'), 'utf8');
  const [, table = ''] = /## Threats that a test holds\n\n([\s\S]*?)\n\n##/.exec(text) ?? [];
  const rows = table.split('\n').slice(2);
  expect(rows.length).toBeGreaterThan(12);
  expect(rows.filter((row) => !/`test\/[^`]+`/.test(row))).toEqual([]);
});
