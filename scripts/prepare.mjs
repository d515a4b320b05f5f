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
  process.exitCode = status ?? 1;
}
