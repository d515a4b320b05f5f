// `npm test`: the unit tests, and at the same time the service on the emulator and the end-to-end tests against it: the
// former need a processor, the latter mostly wait. What the latter print comes after the former.
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ensureAirflow } from './airflow.ts';
import { Interrupted, interruptSignal } from './interrupt.ts';
import { createLateLines } from './late-lines.ts';
import { leftOut } from './left-out.ts';
import { run } from './process.ts';
import type { RunOptions } from './process.ts';
import { startService } from './service.ts';
import { EmulatorUnavailable } from './unavailable.ts';

// Limits for what hangs; a busy machine takes several times as long as an idle one.
const UNIT_MS = 1_500_000;
const EMULATOR_MS = 2_400_000;
const EMULATOR_REPORT = '.reports/emulator.json';

const root = resolve(import.meta.dirname, '..');
const { env } = process;
const signal = interruptSignal(process);
const late = createLateLines((line) => console.error(line));
const report = (line: string): void => late.line(`sensorium: ${line}`);

/** Runs a script of package.json. @returns whether it passed. */
async function script(
  args: readonly string[],
  options: Pick<RunOptions, 'env' | 'timeoutMs' | 'onLine'>,
): Promise<boolean> {
  const { code, ending } = await run('npm', ['run', '--silent', ...args], { cwd: root, signal, ...options });
  signal.throwIfAborted();
  if (ending === 'timed out') report(`${args[0]} did not end within ${options.timeoutMs / 1_000} s`);
  return code === 0;
}

/** @returns whether they passed. @throws EmulatorUnavailable when there is nothing to run them against. */
async function endToEnd(): Promise<boolean> {
  const airflow = await findAirflow();
  const service = await startService({ root, nodeDir: dirname(process.execPath), env, report, signal });
  try {
    const args = ['test:emulator', '--', '--json', `--outputFile=${EMULATOR_REPORT}`];
    const found = typeof airflow === 'string' ? { SENSORIUM_AIRFLOW_PYTHON: airflow } : {};
    const passed = await script(args, {
      env: { ...service.env, ...found },
      timeoutMs: EMULATOR_MS,
      onLine: late.line,
    });
    // Last, where it is seen.
    const isAll =
      typeof airflow === 'string' ||
      leftOut('the tests of examples/airflow: no Airflow.', airflow, { env, line: late.line });
    return passed && isAll;
  } finally {
    await service.stop();
  }
}

/** @returns the Python of the examples' Airflow, or why there is none. */
async function findAirflow(): Promise<string | EmulatorUnavailable> {
  try {
    return await ensureAirflow({ root, stateDir: join(root, '.sensorium'), env, report, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EmulatorUnavailable) return error;
    throw error;
  }
}

try {
  // A report of an earlier run would be counted again.
  await rm(join(root, EMULATOR_REPORT), { force: true });
  const unitTests = script(['test:coverage'], { env, timeoutMs: UNIT_MS }).finally(late.release);
  const emulatorTests = endToEnd().catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof EmulatorUnavailable) {
      return leftOut('all tests against the emulator, because it cannot be had.', error, { env, line: late.line });
    }
    throw error;
  });
  // Neither leaves the other behind, however it ends.
  await Promise.allSettled([unitTests, emulatorTests]);
  const [unit, emulator] = [await unitTests, await emulatorTests];
  if (!unit) report('FAILED: the unit tests');
  if (!emulator) report('FAILED: the tests against the emulator');
  process.exitCode = unit && emulator ? 0 : 1;
} catch (error) {
  if (error instanceof Interrupted) {
    report('interrupted; everything is stopped');
    process.exitCode = error.exitCode;
  } else {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
