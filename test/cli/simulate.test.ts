import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { aCli } from './harness.ts';

const { run, requests } = aCli();
const folder = mkdtempSync(join(tmpdir(), 'sensorium-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PASSES = resolve(import.meta.dirname, '../scenarios/case-038-soft-fail-skips.json');

test('a line a scenario, and how many passed; nothing is asked of AWS', async () => {
  const ran = await run(['simulate', PASSES]);
  expect(ran.stdout).toMatch(/^passed {4}.*case-038.*\n(.*\n)*\d+ passed, 0 failed\n$/);
  expect(ran.code).toBe(0);
  expect(requests).toEqual([]);
});

test('--json is one document; a file that is no scenario fails', async () => {
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, '{');
  const ran = await run(['simulate', PASSES, broken, '--json']);
  const { passed, failed, lines } = JSON.parse(ran.stdout) as { passed: number; failed: number; lines: string[] };
  expect(failed).toBe(1);
  expect(passed).toBeGreaterThan(0);
  expect(lines.at(-1)).toMatch(/^FAILED .*broken.json/);
  expect(ran.code).toBe(1);
});

test('the version', async () => {
  expect(await run('--version')).toMatchObject({ code: 0, stdout: '1.2.3\n' });
});
