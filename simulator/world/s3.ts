import type { World } from '../format.ts';
import { awsError } from './aws-error.ts';
import type { Answerer } from './sender.ts';
import { entryAt } from './timeline.ts';

/** One error for all: a night has 400,000 of them. */
const NOT_FOUND = awsError('NotFound');

/** S3 as a scenario scripts it. Buckets exist unless the world says otherwise. */
export function scriptedS3(s3: World['s3'], second: () => number): Answerer {
  const keys = Object.keys(s3).filter((name) => name.includes('/'));
  /** Names by bucket and key, each joined once. */
  const names = new Map<string, Map<string, string>>();

  function nameOf(bucket: string, key: string): string {
    const known = names.get(bucket) ?? new Map<string, string>();
    const name = known.get(key) ?? `${bucket}/${key}`;
    names.set(bucket, known.set(key, name));
    return name;
  }

  function bucketExists(bucket: string): boolean {
    return entryAt(s3[bucket], second())?.present ?? true;
  }

  function headObject(bucket: string, key: string): unknown {
    const entry = entryAt(s3[nameOf(bucket, key)], second());
    if (entry?.denied === true) throw awsError('AccessDenied');
    if (!bucketExists(bucket) || entry?.present !== true) throw NOT_FOUND;
    return { ContentLength: entry.size ?? 0 };
  }

  return (operation, input) => {
    const bucket = input['Bucket'];
    if (typeof bucket !== 'string') throw new Error(`s3:${operation} without a Bucket`);
    switch (operation) {
      case 'HeadObject':
        return headObject(bucket, String(input['Key']));
      case 'HeadBucket':
        if (!bucketExists(bucket)) throw NOT_FOUND;
        return {};
      case 'ListObjectsV2': {
        if (!bucketExists(bucket)) throw awsError('NoSuchBucket');
        const prefix = `${bucket}/${typeof input['Prefix'] === 'string' ? input['Prefix'] : ''}`;
        const Contents = keys.flatMap((name) => {
          const entry = entryAt(s3[name], second());
          if (!name.startsWith(prefix) || entry?.present !== true) return [];
          return [{ Key: name.slice(bucket.length + 1), Size: entry.size ?? 0 }];
        });
        return { Contents, KeyCount: Contents.length, IsTruncated: false };
      }
      default:
        throw new Error(`the simulated S3 has no ${operation}`);
    }
  };
}
