// npm runs this after `npm ci`, before `npm pack`, and where somebody installs from the repository: all of them find dist.
// What is built already stands: npx asks again at its first start.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale } from './stale.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (isStale(root, 'dist/built')) {
  const args = ['--import', 'tsx', 'scripts/build.ts'];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  // Who works here gets on, and hears of it from the checks; what is published has to be whole.
  if (status !== 0) console.error('sensorium: dist could not be built');
  process.exitCode = ['pack', 'publish'].includes(process.env.npm_command ?? '') ? (status ?? 1) : 0;
}
