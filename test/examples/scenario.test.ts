import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { simulate } from '../../simulator/cli.ts';

const FILE = join('examples', 'scenario', 'day.json');

/** Some ten seconds of processor time each. */
const LIMIT_MS = 300_000;

test(
  'the day ends as it says',
  async () => {
    const lines: string[] = [];
    expect(await simulate([FILE], (line) => lines.push(line))).toBe(0);
    expect(lines.at(-1)).toBe('1 passed, 0 failed');
  },
  LIMIT_MS,
);

test(
  'its cost is a fraction of what a sensor for each task would ask',
  () => {
    const args = ['--import', 'tsx', join('examples', 'scenario', 'main.ts'), FILE];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout).toContain('161 success, 20 skipped, 1 failed');
    const [, calls, alone] = /calls +(\d+) \(one for each task and poke: (\d+)\)/.exec(stdout) ?? [];
    expect(Number(calls) / Number(alone)).toBeLessThan(0.15);
    expect(Number(/dollars +([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(0.1);
  },
  LIMIT_MS,
);
