/** Names of S3: what a bucket and a key may be called, and how a URL names both. */

/** One fault of a context: the path of the field and what is wrong with it. */
export interface AddressFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface Address {
  readonly bucket: string;
  /** Sorted and without repetitions, so that equal waits have equal hashes. */
  readonly keys: readonly string[];
  readonly faults: readonly AddressFault[];
}

/**
 * Takes a bucket and keys, or `s3://bucket/key` URLs without a bucket, to one form.
 * @returns the address; it is of use only where there are no faults.
 */
export function locate(bucket: string | undefined, key: string | readonly string[]): Address {
  const texts = typeof key === 'string' ? [key] : key;
  const faults: AddressFault[] = [];
  const pathOf = (index: number): (string | number)[] => (typeof key === 'string' ? ['key'] : ['key', index]);
  if (texts.length === 0) faults.push({ path: ['key'], message: 'must name at least one key' });
  let home = bucket;
  const keys = texts.map((text, index) => {
    const url = bucket === undefined ? parseUrl(text) : undefined;
    if (bucket === undefined && url === undefined) {
      faults.push({ path: ['bucket'], message: 'is required where key is not an s3:// URL' });
    } else if (url !== undefined && home !== undefined && url.bucket !== home) {
      faults.push({ path: pathOf(index), message: `must name one bucket, not both ${home} and ${url.bucket}` });
    }
    home ??= url?.bucket;
    const fault = keyFault(url?.key ?? text);
    if (fault !== undefined && (bucket !== undefined || url !== undefined)) {
      faults.push({ path: pathOf(index), message: fault });
    }
    return url?.key ?? text;
  });
  const fault = home === undefined ? undefined : bucketFault(home);
  if (fault !== undefined) faults.push({ path: [bucket === undefined ? 'key' : 'bucket'], message: fault });
  return { bucket: home ?? '', keys: [...new Set(keys)].toSorted(), faults };
}

/** What follows the bucket is the key as it stands: nothing is decoded, as in Airflow and in the AWS CLI. */
function parseUrl(text: string): { readonly bucket: string; readonly key: string } | undefined {
  const match = /^s3:\/\/([^/]*)\/?(.*)$/isu.exec(text);
  return match === null ? undefined : { bucket: match[1] ?? '', key: match[2] ?? '' };
}

/**
 * The rules of bucket names, and those of before March 2018, whose buckets are still there: 255 characters, capitals and
 * underscores too. The least length of 3 is left to S3: local stand-ins have shorter ones.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html (both)
 */
function bucketFault(bucket: string): string | undefined {
  if (bucket.startsWith('arn:')) {
    return 'must be a bucket name, not an ARN: name the bucket behind an access point';
  }
  const isOfToday = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/u.test(bucket);
  if (!isOfToday && !/^(?=.*[A-Z_])[A-Za-z0-9._-]{1,255}$/u.test(bucket)) {
    return 'must be a bucket name: up to 63 lower-case letters, digits, dots and hyphens, no dot or hyphen at its ends (before 2018 also capitals and underscores, up to 255)';
  }
  if (bucket.includes('..')) return 'must be a bucket name: no two dots in a row';
  if (/^\d+\.\d+\.\d+\.\d+$/u.test(bucket)) return 'must be a bucket name: not an IP address';
  return undefined;
}

function keyFault(key: string): string | undefined {
  if (key === '') return 'must not be empty';
  if (Buffer.byteLength(key) > 1024) return 'must have at most 1,024 bytes in UTF-8';
  if (/\p{Cc}/u.test(key)) return 'must not have control characters';
  if (!key.isWellFormed()) return 'must be well-formed Unicode';
  if (/^s3:\/\//iu.test(key)) return 'must not be an s3:// URL where bucket is given';
  return undefined;
}
