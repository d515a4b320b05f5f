import { EMRClient } from '@aws-sdk/client-emr';
import { emrCalls } from '../sensors/emr-calls.ts';
import type { EmrCalls } from '../sensors/emr-calls.ts';
import type { ClientOptions } from './sensors.ts';

/** @returns EMR. */
export function openEmr(options: ClientOptions): EmrCalls {
  return emrCalls(new EMRClient(options));
}
