import type { AwsCalls } from '../sensors/aws-calls.ts';
import type { Opened } from '../sensors/opened.ts';
import { createSensors } from '../sensors/registry.ts';
import type { Sensors } from '../sensors/registry.ts';
import type { ServiceSettings } from '../settings.ts';
import { keptConnections } from './connections.ts';
import { once } from './once.ts';

/**
 * One attempt a call: the rate budget counts calls, and the SDK's own retries would hide throttling. A call that the run
 * has abandoned is ended by the client: a signal for each costs more than all that bounds it.
 */
function clientOptions({ poke_timeout_seconds }: Pick<ServiceSettings, 'poke_timeout_seconds'>) {
  const limitMs = poke_timeout_seconds * 1000;
  return {
    maxAttempts: 1,
    requestHandler: {
      ...keptConnections(),
      requestTimeout: limitMs,
      socketTimeout: limitMs,
      throwOnRequestTimeout: true,
    },
  };
}

export type ClientOptions = ReturnType<typeof clientOptions>;

/**
 * @returns the sensors over the real AWS. A client is loaded by the first call that needs it, and by no cold start: S3's
 * takes half as long as DynamoDB's, and many runs ask one service, or none.
 */
export function openSensors(settings: Pick<ServiceSettings, 'poke_timeout_seconds'>, opened: Opened): Sensors {
  const options = clientOptions(settings);
  const s3 = once(async () => (await import('./s3-client.ts')).openS3(options));
  const emr = once(async () => (await import('./emr-client.ts')).openEmr(options));
  const calls: AwsCalls = {
    s3: {
      headObject: async (input) => (await s3()).headObject(input),
      headBucket: async (input) => (await s3()).headBucket(input),
      listObjects: async (input) => (await s3()).listObjects(input),
    },
    emr: {
      listSteps: async (input) => (await emr()).listSteps(input),
      describeStep: async (input) => (await emr()).describeStep(input),
      describeCluster: async (input) => (await emr()).describeCluster(input),
      cancelSteps: async (input) => (await emr()).cancelSteps(input),
      terminateJobFlows: async (input) => (await emr()).terminateJobFlows(input),
    },
  };
  return createSensors(calls, opened);
}
