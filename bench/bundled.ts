/** Runs a script of bench/children in a process of its own, bundled as a deploy bundles the functions. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleFunction } from '../lib/bundling.ts';

const run = promisify(execFile);

/** What every child has: a Region and credentials of nobody, and no other word of AWS from outside. */
export const CHILD_ENV: Readonly<Record<string, string>> = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
};

export interface ChildOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  readonly node?: readonly string[];
  readonly timeoutMs: number;
}

/** @returns what the child printed. @throws where it failed or took too long, with what it said. */
export async function runNode(
  script: string,
  { args = [], env = {}, node = [], timeoutMs }: ChildOptions,
): Promise<string> {
  const { stdout } = await run(process.execPath, [...node, script, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...CHILD_ENV, ...env },
    timeout: timeoutMs,
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}

/** @param name of a file in bench/children */
export async function runBundled(name: string, options: ChildOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sensorium-bench-'));
  try {
    bundleFunction(join(import.meta.dirname, 'children', `${name}.ts`), folder);
    return await runNode(join(folder, 'index.js'), options);
  } finally {
    await rm(folder, { recursive: true });
  }
}
