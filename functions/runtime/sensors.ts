import { EMRClient } from '@aws-sdk/client-emr';
import { S3Client } from '@aws-sdk/client-s3';
import { createSensors } from '../sensors/registry.ts';
import type { Sensors } from '../sensors/registry.ts';

/** One attempt a call: the rate budget counts calls, and the SDK's own retries would hide throttling. */
const CLIENT = { maxAttempts: 1 };

/** @returns the sensors over the real AWS. */
export function openSensors(): Sensors {
  return createSensors({ s3: new S3Client({ ...CLIENT, followRegionRedirects: false }), emr: new EMRClient(CLIENT) });
}
