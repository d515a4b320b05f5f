import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { awsEnv, deploy } from './deploy.ts';
import { startEmrStandIn } from './emr-standin/server.ts';
import { type Emulator, getEmulator } from './emulator.ts';
import { IDENTITY } from './identity.ts';
import { deleteStack, stackExists } from './stack.ts';

/** The stack of bin/app.ts that runs on a laptop. */
export const STACK = 'Sensorium';

export interface ServiceOptions {
  /** The root of the repository. */
  readonly root: string;
  /** The folder of the Node that runs the Lambdas. */
  readonly nodeDir: string;
  /** `AWS_ENDPOINT_URL` and `AWS_ENDPOINT_URL_EMR` in it take the place of our own emulator and stand-in. */
  readonly env: NodeJS.ProcessEnv;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** The whole service, deployed and running on this machine. */
export interface Service {
  /** Base URL of the AWS services. */
  readonly endpoint: string;
  /** False: the emulator is the user's. */
  readonly isOurs: boolean;
  /** Base URL of the EMR API. */
  readonly emrEndpoint: string;
  /** Outputs of the stack by name. */
  readonly outputs: Readonly<Record<string, string>>;
  /**
   * The environment in which a client reaches it: AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_EMR, region, credentials, and
   * SENSORIUM_OUTPUTS, the path of a JSON file with `outputs`.
   */
  readonly env: NodeJS.ProcessEnv;
  /**
   * Stops what was started here; nothing stays behind but logs and what was installed. On an emulator of the user's the
   * stack is deleted, unless it was there before; the CDK's own stack stays.
   */
  stop(): Promise<void>;
}

/**
 * Starts the EMR stand-in and the emulator, and deploys the service.
 * @throws EmulatorUnavailable when the emulator cannot be had; Error when the deployment fails. Nothing stays running.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { root, env, report } = options;
  const stateDir = join(root, '.sensorium');
  const started: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (let one = started.pop(); one !== undefined; one = started.pop()) await one.stop();
  };
  try {
    const standIn = await startEmr(env);
    started.push(standIn);
    const emulator = await getEmulator({ ...options, stateDir });
    started.push(emulator);
    const { endpoint, isOurs } = emulator;
    const reached = { ...awsEnv(env, endpoint), AWS_ENDPOINT_URL_EMR: standIn.url };
    // There is nothing to protect on an emulator, and nothing to keep.
    const context = { allow: '*', allowCancel: 'true', removal: 'destroy', emrEndpoint: standIn.url };
    started.push(...(await cleanUps(emulator, report)));
    const outputs = await deploy({ ...options, app: root, stateDir, stack: STACK, context, endpoint, env: reached });
    const file = join(stateDir, `outputs-${new URL(endpoint).port}.json`);
    started.push({ stop: () => rm(file, { force: true }) });
    await writeFile(file, `${JSON.stringify(outputs, null, 2)}\n`);
    report(`deployed to ${endpoint}`);
    return { endpoint, isOurs, emrEndpoint: standIn.url, outputs, env: { ...reached, SENSORIUM_OUTPUTS: file }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What has to be undone on an emulator of the user's: ours ends with all that is in it. */
async function cleanUps(emulator: Emulator, report: ServiceOptions['report']): Promise<{ stop(): Promise<void> }[]> {
  if (emulator.isOurs) return [];
  const client = new CloudFormationClient({ ...IDENTITY, endpoint: emulator.endpoint });
  if (await stackExists(client, STACK)) return [];
  const stop = async (): Promise<void> => {
    await deleteStack(client, STACK).catch((error: unknown) => report(`${STACK} is not deleted: ${String(error)}`));
  };
  return [{ stop }];
}

/** The user's own EMR where the environment names one. */
async function startEmr(env: NodeJS.ProcessEnv): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const url = env['AWS_ENDPOINT_URL_EMR'];
  return url ? { url, stop: () => Promise.resolve() } : startEmrStandIn({ now: Date.now });
}
