/** What the examples run in: buckets that tell of what lands in them, and the environment that a user sets. */
import { PutBucketNotificationConfigurationCommand } from '@aws-sdk/client-s3';
import { join, resolve } from 'node:path';
import { openLandingZone } from '../../../local/demo/landing-zone.ts';
import type { LandingZone } from '../../../local/demo/landing-zone.ts';
import { run } from '../../../local/process.ts';
import type { Service } from '../service.ts';
import { until } from '../until.ts';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** @returns a bucket with EventBridge notifications: what lands in it ends a wait within seconds, without a tick. */
export async function openBucket({ clients }: Service, bucket: string): Promise<LandingZone> {
  const zone = await openLandingZone(clients.s3, bucket);
  const NotificationConfiguration = { EventBridgeConfiguration: {} };
  await clients.s3.send(new PutBucketNotificationConfigurationCommand({ Bucket: bucket, NotificationConfiguration }));
  return zone;
}

/** For a busy machine. */
export const LIMIT_MS = 280_000;

export interface Ran {
  readonly code: number;
  readonly lines: readonly string[];
}

/** Runs a command as a user does, in the root of the repository. */
export async function runExample(
  service: Service,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const lines: string[] = [];
  const { code, ending } = await run(command, args, {
    cwd: ROOT,
    env: { ...process.env, SENSORIUM_URL: service.apiUrl, ...env },
    timeoutMs: LIMIT_MS,
    onLine: (line) => lines.push(line),
  });
  if (ending !== 'exited') throw new Error(`${command} ${args.join(' ')} ${ending}:\n${lines.join('\n')}`);
  return { code, lines };
}

/** Runs a TypeScript file of examples/. */
export function runScript(service: Service, file: string, args: readonly string[]): Promise<Ran> {
  return runExample(service, process.execPath, ['--import', 'tsx', join('examples', file), ...args]);
}

/** @returns what a command that waits for the service has to say, with a tick every few seconds until it ends. */
export async function ticking(service: Service, running: Promise<Ran>): Promise<Ran> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  running.then(end, end);
  await service.tickUntil(
    () => Promise.resolve(isOver),
    (over) => over,
    { limitMs: LIMIT_MS },
  );
  return running;
}

/** Waits until so many tasks of a queue wait. */
export async function untilWaiting({ api }: Service, queue: string, count: number): Promise<void> {
  await until(
    () => api.tasks(queue),
    (tasks) => tasks.filter(({ state }) => state === 'sensing').length >= count,
    { limitMs: LIMIT_MS, everyMs: 500 },
  );
}
