import {
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type HeadBucketCommandInput,
  type HeadObjectCommandInput,
  type ListObjectsV2CommandInput,
} from '@aws-sdk/client-s3';
import type { Call, Sender, SenderOf } from './sensor.ts';

export interface S3Calls {
  readonly headObject: Call<HeadObjectCommandInput>;
  readonly headBucket: Call<HeadBucketCommandInput>;
  readonly listObjects: Call<ListObjectsV2CommandInput>;
}

/** @returns the calls that sensors make, over a client that makes one attempt a call (`maxAttempts: 1`). */
export function s3Calls(client: Sender): S3Calls {
  const s3: SenderOf<HeadObjectCommand | HeadBucketCommand | ListObjectsV2Command> = client;
  return {
    headObject: (input) => s3.send(new HeadObjectCommand(input)),
    headBucket: (input) => s3.send(new HeadBucketCommand(input)),
    listObjects: (input) => s3.send(new ListObjectsV2Command(input)),
  };
}
