// Whether something that is built from the sources is older than they are. Plain JavaScript: bin/sensorium.mjs runs on
// whatever Node is there.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What dist is made of. */
const SOURCES = [
  'cli',
  'client',
  'functions',
  'lib',
  'simulator',
  'package.json',
  'package-lock.json',
  'scripts/build.ts',
];

/** When a file, or anything in a folder, was changed last; 0 where there is none. */
function changedAt(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

/** @param built a file that is written last */
export function isStale(root, built) {
  const builtAt = changedAt(join(root, built));
  return SOURCES.some((path) => changedAt(join(root, path)) > builtAt);
}
