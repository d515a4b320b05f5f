import { emrCalls } from './emr-calls.ts';
import type { EmrCalls } from './emr-calls.ts';
import { s3Calls } from './s3-calls.ts';
import type { S3Calls } from './s3-calls.ts';
import type { Sender } from './sensor.ts';

/**
 * All that the sensors call. Sensors see functions, not the SDK's commands, so that their schemas and permissions can be
 * read without loading the SDK: by the API, whose bundle drops it, and by the CDK app.
 */
export interface AwsCalls {
  readonly s3: S3Calls;
  readonly emr: EmrCalls;
}

/** @returns the calls over clients that are there already. */
export function awsCalls(clients: { readonly s3: Sender; readonly emr: Sender }): AwsCalls {
  return { s3: s3Calls(clients.s3), emr: emrCalls(clients.emr) };
}
