#!/usr/bin/env node
// `npx sensorium`: starts the command line of dist. In a clone it is built first where the sources are newer, so that
// neither a fresh clone nor a change needs a word more; the published package has no sources, and nothing to build.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (existsSync(join(root, 'cli', 'main.ts'))) {
  const { isStale } = await import('../scripts/stale.mjs');
  if (isStale(root, 'dist/cli/main.js')) build();
}

function build() {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', join('scripts', 'build.ts'), 'cli'], {
    cwd: root,
    stdio: ['ignore', 2, 'inherit'],
  });
  if (status === 0) return;
  console.error('sensorium: the command line could not be built; was `npm ci` run here?');
  process.exit(1);
}

await import('../dist/cli/main.js');
