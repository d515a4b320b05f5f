import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { simulate } from '../../simulator/cli.ts';

const FILE = join('examples', 'scenario', 'day.json');

test('the day ends as it says', async () => {
  const lines: string[] = [];
  expect(await simulate([FILE], (line) => lines.push(line))).toBe(0);
  expect(lines.at(-1)).toBe('1 passed, 0 failed');
}, 300_000);

test('what it costs is what its README says', () => {
  const args = ['--import', 'tsx', join('examples', 'scenario', 'main.ts'), FILE];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(0);
  const readme = readFileSync(resolve('examples', 'scenario', 'README.md'), 'utf8');
  const numbers = stdout.split('\n').filter((line) => /^(tasks|calls|write|invoc|dollars)/.test(line));
  expect(numbers).toHaveLength(5);
  expect(readme).toContain(numbers.join('\n'));
}, 300_000);
