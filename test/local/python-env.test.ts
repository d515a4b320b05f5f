import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ensureAirflow } from '../../local/airflow.ts';
import { ensurePythonEnv } from '../../local/python-env.ts';
import { EmulatorUnavailable } from '../../local/unavailable.ts';

let stateDir: string;
let requirements: string;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'sensorium-python-'));
  requirements = join(stateDir, 'wanted.txt');
  await writeFile(requirements, 'nothing==1.0\n');
});

afterEach(() => rm(stateDir, { recursive: true }));

const ensure = (PATH: string) => ensurePythonEnv({ stateDir, requirements, env: { PATH }, report: () => {} });

/**
 * A python3 that a script stands in for: it answers the probe, and `-m venv DIR` makes DIR with a copy of itself, whose
 * `-m pip` ends with `pipStatus`.
 */
async function fakePython(pipStatus: number, venvStatus = 0): Promise<string> {
  const file = join(stateDir, 'python3');
  const lines = [
    '#!/bin/sh',
    'case "$1 $2" in',
    `  "-m venv") [ ${venvStatus} = 0 ] && /bin/mkdir -p "$3/bin" && /bin/cp "$0" "$3/bin/python"; exit ${venvStatus} ;;`,
    `  "-m uv") echo "uv $*" >> "${stateDir}/asked" ;;`,
    `  "-m pip") echo "pip was asked"; echo x >> "${stateDir}/asked"; exit ${pipStatus} ;;`,
    'esac',
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  await chmod(file, 0o755);
  return stateDir;
}

const asked = async () => (await readdir(stateDir)).includes('asked');

test('no Python is named as the reason', async () => {
  await expect(ensure('/nowhere')).rejects.toThrow(EmulatorUnavailable);
  await expect(ensure('/nowhere')).rejects.toThrow('Python 3.10 or later is not on the path');
});

test('a Python without venv is named as the reason', async () => {
  await expect(ensure(await fakePython(0, 1))).rejects.toThrow('install the package python3-venv');
});

test('packages that cannot be installed are named as the reason, with what pip says, and leave nothing behind', async () => {
  const failure = ensure(await fakePython(1));
  await expect(failure).rejects.toThrow(/the first start needs the network\.\npip was asked/);
  expect((await readdir(stateDir)).toSorted()).toEqual(['asked', 'python3', 'wanted.txt']);
});

test('what is installed is not installed again until the requirements change', async () => {
  const path = await fakePython(0);
  expect(await ensure(path)).toBe(join(stateDir, 'python', 'bin', 'python'));
  expect(await asked()).toBe(true);

  await rm(join(stateDir, 'asked'));
  await ensure(path);
  expect(await asked()).toBe(false);

  await writeFile(requirements, 'nothing==2.0\n');
  await ensure(path);
  expect(await asked()).toBe(true);
});

test('another environment has a home and a way of installing of its own', async () => {
  const root = stateDir;
  await mkdir(join(root, 'examples', 'airflow'), { recursive: true });
  const wanted = join(root, 'examples', 'airflow', 'requirements.txt');
  await writeFile(wanted, 'nothing==1.0\n');
  const lines: string[] = [];
  const report = (line: string) => lines.push(line);
  const python = await ensureAirflow({ root, stateDir, env: { PATH: await fakePython(0) }, report });
  expect(python).toBe(join(stateDir, 'airflow', 'bin', 'python'));
  expect(lines).toEqual([expect.stringMatching(/^installing Airflow/)]);
  const asked = await readFile(join(stateDir, 'asked'), 'utf8');
  expect(asked).toMatch(/^x\nuv -m uv pip install .*--no-deps .*--python \S+airflow-new-\w+\/bin\/python -r /);
  expect(asked.trim().endsWith(wanted)).toBe(true);
});
