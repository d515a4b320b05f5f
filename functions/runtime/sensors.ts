import { EMRClient } from '@aws-sdk/client-emr';
import { S3Client } from '@aws-sdk/client-s3';
import { createSensors } from '../sensors/registry.ts';
import type { Sensors } from '../sensors/registry.ts';
import type { ServiceSettings } from '../settings.ts';

/**
 * One attempt a call: the rate budget counts calls, and the SDK's own retries would hide throttling. A call that the run
 * has abandoned is ended by the client: a signal for each costs more than all that bounds it.
 */
function clientOptions({ poke_timeout_seconds }: Pick<ServiceSettings, 'poke_timeout_seconds'>) {
  const limitMs = poke_timeout_seconds * 1000;
  return {
    maxAttempts: 1,
    requestHandler: { requestTimeout: limitMs, socketTimeout: limitMs, throwOnRequestTimeout: true },
  };
}

/** @returns the sensors over the real AWS. */
export function openSensors(settings: Pick<ServiceSettings, 'poke_timeout_seconds'>): Sensors {
  const options = clientOptions(settings);
  return createSensors({
    s3: new S3Client({ ...options, followRegionRedirects: false }),
    emr: new EMRClient(options),
  });
}
