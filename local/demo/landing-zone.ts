import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';

export interface LandingZone {
  /** @returns when it began to land, epoch ms. */
  land(key: string): Promise<number>;
  /** Takes the bucket away, and all that is in it: a visitor may have added keys. */
  remove(): Promise<void>;
}

/** Makes the bucket that keys land in. */
export async function openLandingZone(s3: S3Client, bucket: string): Promise<LandingZone> {
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    async land(key) {
      const at = Date.now();
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'It is there.\n' }));
      return at;
    },
    async remove() {
      for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: bucket })) {
        await Promise.all(Contents.map(({ Key }) => s3.send(new DeleteObjectCommand({ Bucket: bucket, Key }))));
      }
      await s3.send(new DeleteBucketCommand({ Bucket: bucket }));
    },
  };
}
