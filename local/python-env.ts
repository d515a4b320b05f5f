import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './process.ts';
import { EmulatorUnavailable } from './unavailable.ts';

const CANDIDATES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
const PROBE_MS = 20_000;
const VENV_MS = 120_000;
const INSTALL_MS = 600_000;
const STAMP = 'requirements.txt';
const EMULATOR = { name: 'python', installing: 'the emulator (once; about half a minute)' };

const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
/** Installs 150 packages in 5 s where pip takes two minutes. */
const UV = 'uv==0.13.9';

export interface PythonEnvOptions {
  /** A file in the format of pip: what is installed. */
  readonly requirements: string;
  /** The folder in `stateDir`, and what is reported while it is made; by default the emulator's. */
  readonly home?: { readonly name: string; readonly installing: string };
  /** The arguments with which a new environment's Python installs the requirements; by default those of pip. */
  readonly install?: (python: string, requirements: string) => readonly (readonly string[])[];
  /** Where the environment is kept; its content is replaced when the requirements change. */
  readonly stateDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Gets a line when something takes a while. */
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** `install` of an environment of many packages; its requirements name every one. */
export function withUv(python: string, requirements: string): readonly (readonly string[])[] {
  return [
    [...PIP, UV],
    ['-m', 'uv', 'pip', 'install', '--quiet', '--no-deps', '--no-cache', '--python', python, '-r', requirements],
  ];
}

/**
 * Makes sure that a Python environment with the requirements exists; a second call needs neither network nor time.
 * @returns the path of its Python.
 * @throws EmulatorUnavailable when Python 3.10, its venv module or the packages cannot be had.
 */
export async function ensurePythonEnv(options: PythonEnvOptions): Promise<string> {
  const { stateDir, requirements, report, home: { name, installing } = EMULATOR } = options;
  const wanted = readFileSync(requirements, 'utf8');
  const home = join(stateDir, name);
  const stamp = join(home, STAMP);
  const python = join(home, 'bin', 'python');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && (await answers(python, options))) return python;

  const base = await findPython(options);
  report(`installing ${installing}`);
  await mkdir(stateDir, { recursive: true });
  // Made beside its place and renamed when it is complete: an interrupted or a second installation does no harm.
  const fresh = await mkdtemp(join(stateDir, `${name}-new-`));
  try {
    await install(base, fresh, options);
    await writeFile(join(fresh, STAMP), wanted);
    await rm(home, { recursive: true, force: true });
    await rename(fresh, home);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return python;
}

async function install(base: string, fresh: string, options: PythonEnvOptions): Promise<void> {
  const quiet = { cwd: options.stateDir, env: options.env, onLine: () => {}, ...withSignal(options) };
  const venv = await run(base, ['-m', 'venv', fresh], { ...quiet, timeoutMs: VENV_MS });
  if (venv.code !== 0) {
    throw new EmulatorUnavailable(
      `"${base} -m venv" failed; on Debian and Ubuntu install the package python3-venv.\n${venv.tail}`,
    );
  }
  const { requirements, install: commands = (_: string, file: string) => [[...PIP, '-r', file]] } = options;
  const python = join(fresh, 'bin', 'python');
  for (const args of commands(python, requirements)) {
    const installed = await run(python, args, { ...quiet, timeoutMs: INSTALL_MS });
    if (installed.code === 0) continue;
    const late = installed.ending === 'timed out' ? ` within ${INSTALL_MS / 1_000} s` : '';
    throw new EmulatorUnavailable(
      `pip could not install ${requirements}${late}; the first start needs the network.\n${installed.tail}`,
    );
  }
}

async function findPython(options: PythonEnvOptions): Promise<string> {
  for (const candidate of CANDIDATES) {
    if (await answers(candidate, options)) return candidate;
  }
  throw new EmulatorUnavailable(
    'Python 3.10 or later is not on the path (tried python3 and python3.10 to python3.14).',
  );
}

/** Whether there is such a Python, and it is young enough. */
async function answers(python: string, options: PythonEnvOptions): Promise<boolean> {
  const probe = ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'];
  try {
    const { env } = options;
    const quiet = { cwd: '/', env, timeoutMs: PROBE_MS, onLine: () => {}, ...withSignal(options) };
    return (await run(python, probe, quiet)).code === 0;
  } catch {
    return false; // there is no such program
  }
}

function withSignal({ signal }: PythonEnvOptions): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
