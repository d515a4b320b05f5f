import { S3Client } from '@aws-sdk/client-s3';
import { s3Calls } from '../sensors/s3-calls.ts';
import type { S3Calls } from '../sensors/s3-calls.ts';
import type { ClientOptions } from './sensors.ts';

/** @returns S3. A bucket elsewhere is the user's to hear of: no redirect is followed. */
export function openS3(options: ClientOptions): S3Calls {
  return s3Calls(new S3Client({ ...options, followRegionRedirects: false }));
}
