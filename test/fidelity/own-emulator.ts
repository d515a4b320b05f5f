import { dirname, join, resolve } from 'node:path';
import { startEmulator } from '../../local/emulator.ts';
import type { Emulator } from '../../local/emulator.ts';

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, '..', '..');

export const STATE_DIR = join(ROOT, '.sensorium');

/** @returns an emulator of the test's own: for what deploys the stack itself. */
export function ownEmulator(): Promise<Emulator> {
  const nodeDir = dirname(process.execPath);
  // Port 0: never the one that others prefer.
  return startEmulator({ stateDir: STATE_DIR, nodeDir, env: process.env, port: 0, report: () => {} });
}
