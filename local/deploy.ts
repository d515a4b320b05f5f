import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { LOCAL_CREDENTIALS } from './emulator.ts';
import { type Finished, run } from './process.ts';

/** The account that emulators give to everybody. */
const ACCOUNT = '000000000000';
const BOOTSTRAP_MS = 180_000;
/** A custom resource that cannot run makes a deploy hang for ever. */
const DEPLOY_MS = 480_000;
/** Lines of the CDK that are worth showing; the others are in the log. */
const SHOWN = /^Bundling asset|_FAILED|^❌|✅|⚠/;
const API_URL = /^https:\/\/(\w+)\.execute-api\.[\w-]+\.amazonaws\.com(\/.*)?$/;

const Outputs = z.record(z.string(), z.record(z.string(), z.string()));

export interface DeployOptions {
  /** The folder with cdk.json. */
  readonly app: string;
  /** Keeps the log. */
  readonly stateDir: string;
  /** Base URL of the AWS services; see `Emulator.endpoint`. */
  readonly endpoint: string;
  readonly stack: string;
  /** Context values for the app, as `cdk deploy -c`. */
  readonly context?: Readonly<Record<string, string>>;
  /** The environment of the CDK and of the app; must have `cdk` on its path. */
  readonly env: NodeJS.ProcessEnv;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Bootstraps and deploys a stack of a CDK app to an emulator.
 * @returns the stack's outputs by name. URLs of API Gateway are rewritten to where the emulator serves them.
 * @throws Error with the last lines of the CDK when it fails or takes too long; its whole log is in `stateDir`.
 */
export async function deploy(options: DeployOptions): Promise<Readonly<Record<string, string>>> {
  const { app, stateDir, endpoint, stack, context = {}, report } = options;
  const env = awsEnv(options.env, endpoint);
  await mkdir(stateDir, { recursive: true });
  // A folder for each deploy: the CDK refuses to share one, and `npm start` and `npm test` may run side by side.
  const own = await mkdtemp(join(stateDir, 'deploy-'));
  try {
    // In a folder without cdk.json, so that the app is not synthesised twice.
    report('bootstrapping the CDK');
    const toolkit = ['bootstrap', `aws://${ACCOUNT}/${env['AWS_REGION']}`];
    await cdk(toolkit, { ...options, cwd: own, env, timeoutMs: BOOTSTRAP_MS });

    report(`deploying ${stack}`);
    const outputsFile = join(own, 'outputs.json');
    const args = ['deploy', stack, '--require-approval', 'never', '--method', 'direct', '--progress', 'events'];
    args.push('--output', join(own, 'cdk.out'), '--outputs-file', outputsFile);
    args.push(...Object.entries(context).flatMap(([name, value]) => ['--context', `${name}=${value}`]));
    await cdk(args, { ...options, cwd: app, env, timeoutMs: DEPLOY_MS });

    const outputs = Outputs.parse(JSON.parse(await readFile(outputsFile, 'utf8')))[stack] ?? {};
    return Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, reachable(value, endpoint)]));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** The environment in which AWS clients and the CDK speak to the emulator, whatever profile the user works with. */
export function awsEnv(env: NodeJS.ProcessEnv, endpoint: string): NodeJS.ProcessEnv {
  const { AWS_PROFILE: _, AWS_DEFAULT_PROFILE: __, AWS_SESSION_TOKEN: ___, ...rest } = env;
  return {
    ...rest,
    ...LOCAL_CREDENTIALS,
    AWS_ENDPOINT_URL: endpoint,
    NO_PROXY: [rest['NO_PROXY'], '127.0.0.1', 'localhost'].filter(Boolean).join(','),
  };
}

/** @returns a URL of API Gateway as the emulator serves it; any other text as it is. */
export function reachable(value: string, endpoint: string): string {
  const [, id, path] = API_URL.exec(value) ?? [];
  return id === undefined ? value : `${endpoint}/_aws/execute-api/${id}${path ?? ''}`;
}

interface CdkOptions extends DeployOptions {
  readonly cwd: string;
  readonly timeoutMs: number;
}

async function cdk(args: readonly string[], options: CdkOptions): Promise<void> {
  const { cwd, timeoutMs, stateDir, signal, report } = options;
  const file = join(stateDir, 'cdk.log');
  const log = createWriteStream(file, { flags: args[0] === 'bootstrap' ? 'w' : 'a' });
  const onLine = (line: string): void => {
    log.write(`${line}\n`);
    if (SHOWN.test(line)) report(line.trim());
  };
  const env = { ...options.env, CDK_DISABLE_CLI_TELEMETRY: 'true' };
  const all = [...args, '--ci', '--no-color', '--no-notices', '--no-version-reporting'];
  const finished = await run('cdk', all, { cwd, env, timeoutMs, onLine, ...(signal && { signal }) });
  log.end();
  signal?.throwIfAborted();
  if (finished.code !== 0) throw new Error(explain(args[0] ?? '', finished, timeoutMs, file));
}

function explain(command: string, { ending, code, tail }: Finished, timeoutMs: number, log: string): string {
  const how = ending === 'timed out' ? `did not end within ${timeoutMs / 1_000} s` : `failed with exit code ${code}`;
  return `cdk ${command} ${how}; its last lines (all of them: ${log}):\n${tail}`;
}
