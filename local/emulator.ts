import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './port.ts';
import { hasExited, stopGroup } from './process.ts';
import { ensurePythonEnv } from './python-env.ts';
import { EmulatorUnavailable } from './unavailable.ts';

/** What the AWS clients and the CDK use where nothing is demanded. */
export const LOCAL_CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
};

const PREFERRED_PORT = 4566;
const HEALTHY_WITHIN_MS = 30_000;
const POLL_MS = 100;
/** Somebody may take a port between our look at it and the emulator's start. */
const ATTEMPTS = 3;
/** All that the emulator, and with it every Lambda, sees of the user's environment. */
const PASSED_ON = ['HOME', 'LANG', 'LC_ALL', 'TZ', 'SENSORIUM_PATH_PARAMETERS'];

export interface Emulator {
  /** Base URL of all AWS services, without a slash at its end. */
  readonly endpoint: string;
  /** False: it is the user's, and what we put there has to be taken away again. */
  readonly isOurs: boolean;
  /** Ends it and all it started, and removes its temporary files. An emulator of the user's is left alone. */
  stop(): Promise<void>;
}

export interface EmulatorOptions {
  /** Keeps the Python environment, the log and the temporary files. */
  readonly stateDir: string;
  /** The folder of the Node that runs the Lambdas. */
  readonly nodeDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Taken if it is free; another one if not. 4566 by default. */
  readonly port?: number;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * The user's own emulator where `AWS_ENDPOINT_URL` is set in `env`, otherwise a new, empty one.
 * @throws EmulatorUnavailable when it does not answer, or cannot be installed or started.
 */
export async function getEmulator(options: EmulatorOptions): Promise<Emulator> {
  const endpoint = options.env['AWS_ENDPOINT_URL']?.replace(/\/+$/, '');
  if (endpoint === undefined || endpoint === '') return startEmulator(options);
  if (!(await respondsAtAll(endpoint))) {
    throw new EmulatorUnavailable(`AWS_ENDPOINT_URL is ${endpoint}, but nothing answers there.`);
  }
  options.report(`using ${endpoint} (AWS_ENDPOINT_URL)`);
  return { endpoint, isOurs: false, stop: () => Promise.resolve() };
}

/**
 * Starts MiniStack on the loopback interface and waits until it is healthy. Its state is in memory, so each start is
 * empty. It ends with this process, however that ends.
 * @throws EmulatorUnavailable when it cannot be installed or started.
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const python = await ensurePythonEnv({
    ...options,
    requirements: join(import.meta.dirname, 'requirements.txt'),
  });
  let failure = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    options.signal?.throwIfAborted();
    const port = await freePort(attempt === 0 ? (options.port ?? PREFERRED_PORT) : 0);
    const started = await tryPort(port, python, options);
    if ('endpoint' in started) return started;
    failure = started.failure;
  }
  throw new EmulatorUnavailable(failure);
}

async function tryPort(
  port: number,
  python: string,
  options: EmulatorOptions,
): Promise<Emulator | { readonly failure: string }> {
  const { stateDir, report, signal } = options;
  await mkdir(stateDir, { recursive: true });
  const temporary = await mkdtemp(join(stateDir, 'emulator-'));
  // The Lambdas' CommonJS is kept in there, and the nearest package.json above says that `.js` is a module.
  await writeFile(join(temporary, 'package.json'), '{ "type": "commonjs" }\n');
  const log = join(stateDir, `emulator-${port}.log`);
  // The health answer repeats this text: an emulator of somebody else on the same port is not taken for ours.
  const mark = randomUUID();
  const output = await open(log, 'w');
  const child = spawn(python, [join(import.meta.dirname, 'emulator.py')], {
    cwd: temporary,
    detached: true,
    stdio: ['pipe', output.fd, output.fd],
    env: emulatorEnv(port, temporary, mark, options),
  });
  const failed = new Promise<Error>((resolve) => child.once('error', resolve));
  await output.close();
  const stop = async (): Promise<void> => {
    await stopGroup(child);
    await rm(temporary, { recursive: true, force: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  const healthy = await Promise.race([becomesHealthy(endpoint, mark, child, signal), failed]);
  if (healthy === true) {
    report(`MiniStack runs at ${endpoint} (log: ${log})`);
    return { endpoint, isOurs: true, stop };
  }
  await stop();
  signal?.throwIfAborted();
  const reason = healthy === false ? tail(await readFile(log, 'utf8')) : healthy.message;
  return {
    failure: `MiniStack did not become healthy at ${endpoint} within ${HEALTHY_WITHIN_MS / 1000} s.\n${reason}`,
  };
}

function emulatorEnv(port: number, temporary: string, mark: string, options: EmulatorOptions): NodeJS.ProcessEnv {
  const { env, nodeDir } = options;
  return {
    ...Object.fromEntries(PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    ...LOCAL_CREDENTIALS,
    PATH: [nodeDir, env['PATH']].join(delimiter),
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    TMPDIR: temporary,
    S3_DATA_DIR: join(temporary, 's3'),
    MINISTACK_EDITION: mark,
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

async function becomesHealthy(
  endpoint: string,
  mark: string,
  child: ChildProcess,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (let waited = 0; waited < HEALTHY_WITHIN_MS; waited += POLL_MS) {
    if (signal?.aborted === true || hasExited(child)) return false;
    const health = await fetch(`${endpoint}/_ministack/health`, { signal: AbortSignal.timeout(POLL_MS * 10) })
      .then((response) => response.text())
      .catch(() => '');
    if (health.includes(mark)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/** Any HTTP answer will do: not every emulator has the same health page. */
async function respondsAtAll(endpoint: string): Promise<boolean> {
  return fetch(endpoint, { signal: AbortSignal.timeout(5_000) }).then(
    () => true,
    () => false,
  );
}

function tail(text: string): string {
  return text.trimEnd().split('\n').slice(-15).join('\n');
}
