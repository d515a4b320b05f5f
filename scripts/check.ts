// `npm run check`: runs every check, also after one has failed, and prints a line for each. Each is an npm script of its own.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CHECKS = {
  types: 'types',
  lint: 'lint',
  'lint:rules': 'layer rules, by planted faults',
  'format:check': 'format',
  unused: 'unused files, exports and dependencies',
  copies: 'copies',
  package: 'the package, installed elsewhere',
  'cfn-lint': 'the template, by cfn-lint in five Regions',
} as const;

const root = resolve(import.meta.dirname, '..');
const reports = join(root, '.reports');

function check(script: string, name: string): boolean {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', script], { cwd: root, encoding: 'utf8' });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const passed = status === 0;
  console.log(`${passed ? 'ok  ' : 'FAIL'}  ${name} (${seconds} s)`);
  if (!passed || stderr.includes('LEFT OUT')) console.log(`${stdout}${stderr}`.trim().replaceAll(/^/gm, '      '));
  return passed;
}

const results = Object.entries(CHECKS).map(([script, name]) => check(script, name));
const passed = results.filter(Boolean).length;
const failed = results.length - passed;
mkdirSync(reports, { recursive: true });
writeFileSync(join(reports, 'check.json'), `${JSON.stringify({ passed, failed })}\n`);
console.log(`${passed} of ${results.length} checks passed`);
process.exitCode = failed === 0 ? 0 : 1;
