import * as z from 'zod/mini';
import type { Observation } from '../core/observation.ts';
import type { SensorSpec } from '../core/task.ts';
import { ask, UnreadableAnswer } from './aws-answer.ts';
import type { S3Calls } from './s3-calls.ts';
import { failureOf, isDenied, isMute, observe } from './aws-errors.ts';
import { eventKeys } from './aws-events.ts';
import { compile } from './fnmatch.ts';
import type { SensorKind } from './kind.ts';
import { locate } from './s3-address.ts';
import type { PokeIo, PokeItem } from './sensor.ts';

export interface S3KeyContext extends SensorSpec {
  readonly type: 's3_key';
  readonly bucket: string;
  /** All of them must be there; sorted, each once. */
  readonly key: readonly string[];
  /** The keys are patterns (fnmatch), each of which some object's key must match. */
  readonly wildcard_match: boolean;
  /** Bytes that each object must have; missing: any. */
  readonly min_size?: number;
}

/** A poke costs a call a key, and a record holds them all. */
const MAX_KEYS = 100;

const input = z.strictObject({
  type: z.literal('s3_key'),
  bucket: z.exactOptional(z.string()),
  key: z.union([z.string(), z.array(z.string()).check(z.maxLength(MAX_KEYS))], {
    error: ({ input: given }) => (given === undefined ? 'is required' : undefined),
  }),
  wildcard_match: z._default(z.boolean(), false),
  min_size: z.exactOptional(z.int().check(z.gte(0))),
});

const schema = z.pipe(
  input,
  z.transform((given: z.output<typeof input>, ctx): S3KeyContext => {
    const { bucket, keys, faults } = locate(given.bucket, given.key);
    for (const { path, message } of faults) ctx.issues.push({ code: 'custom', path: [...path], message, input: given });
    // Any size is at least 0: both ways of saying "any" are one context.
    const size = given.min_size === undefined || given.min_size === 0 ? {} : { min_size: given.min_size };
    return { type: given.type, bucket, key: keys, wildcard_match: given.wildcard_match, ...size };
  }),
);

export const s3Key: SensorKind<S3KeyContext> = {
  type: 's3_key',
  summary: 'S3 objects are there: all the given keys, or an object for each given pattern.',
  schema,
  operations: ['s3:HeadObject', 's3:HeadBucket', 's3:ListObjectsV2'],
  permissions: [
    { actions: ['s3:GetObject'], resources: ['arn:*:s3:::*/*'] },
    { actions: ['s3:ListBucket'], resources: ['arn:*:s3:::*'] },
  ],
  resources: ({ bucket, key, wildcard_match }) =>
    key.map((each) => `${bucketArn(bucket)}/${wildcard_match ? compile(each).glob : each}`),
  eventKey: ({ bucket, key: [key, ...more], wildcard_match }) =>
    key === undefined || more.length > 0 || wildcard_match ? eventKeys.bucket(bucket) : eventKeys.object(bucket, key),
  concerns({ bucket, key, wildcard_match }, narrowest) {
    const matches = (each: string, landed: string) =>
      wildcard_match ? compile(each).matches(landed) : each === landed;
    return key.some((each) => matches(each, narrowest.slice(eventKeys.object(bucket, '').length)));
  },
  connect: (calls) => (items, io) => Promise.all(items.map((item) => poke(calls.s3, item, io))),
};

function bucketArn(bucket: string): string {
  return `arn:*:s3:::${bucket}`;
}

/** The keys are asked for one after another and the first that is not there ends the poke: it is not met anyway. */
async function poke(s3: S3Calls, { context, first }: PokeItem<S3KeyContext>, io: PokeIo): Promise<Observation> {
  const found: string[] = [];
  for (const key of context.key) {
    const seen = context.wildcard_match
      ? await matchObject(s3, context, key, io)
      : await headObject(s3, context, key, first, io);
    if (typeof seen !== 'string') return seen;
    found.push(seen);
  }
  return context.wildcard_match ? { kind: 'met', value: { keys: found } } : { kind: 'met' };
}

const headAnswer = z.object({ ContentLength: z.number() });

/** @returns the key where it is there, else what keeps the sensor waiting. */
async function headObject(
  s3: S3Calls,
  { bucket, min_size = 0 }: S3KeyContext,
  key: string,
  first: boolean,
  io: PokeIo,
): Promise<string | Observation> {
  try {
    const send = (): Promise<unknown> => s3.headObject({ Bucket: bucket, Key: key });
    if (min_size === 0) {
      await io.call('s3:HeadObject', send);
      return key;
    }
    const { ContentLength: size } = await ask(io, 's3:HeadObject', send, headAnswer);
    return size >= min_size ? key : tooSmall(bucket, key, size, min_size);
  } catch (error) {
    const failure = failureOf(error);
    if (failure?.status === 404 || failure?.code === 'NotFound') {
      return (first && (await missingBucket(s3, bucket, io))) || notThere(bucket, key);
    }
    // Without s3:ListBucket S3 answers 403 for a key that is not there.
    const permission = `s3:GetObject on ${bucketArn(bucket)}/${key} and s3:ListBucket on ${bucketArn(bucket)}`;
    const asked = { operation: 's3:HeadObject', permission, bodiless: true };
    return (isMute(error) && (await refusedBucket(s3, bucket, io))) || observe(error, asked);
  }
}

/** Asks once a bucket and run. What is no clear answer leaves the key merely not there: nothing is proven. */
function missingBucket(s3: S3Calls, bucket: string, io: PokeIo): Promise<Observation | undefined> {
  return io.once(`s3:HeadBucket ${bucket}`, async () => {
    try {
      await io.call('s3:HeadBucket', () => s3.headBucket({ Bucket: bucket }));
      return undefined;
    } catch (error) {
      if (failureOf(error)?.status === 404) return noBucket(bucket);
      // Only for its throw: a defect of ours is no answer.
      observe(error, {
        operation: 's3:HeadBucket',
        permission: `s3:ListBucket on ${bucketArn(bucket)}`,
        bodiless: true,
      });
      return undefined;
    }
  });
}

/**
 * A HEAD was refused, and its answer had no body to say why: our credentials, our clock, the Region, the key itself. A LIST
 * has one, so the same is asked by it, once a bucket and run (docs/adr/0022).
 * @returns what is wrong with more than the key; undefined where the bucket may be listed, or where just that is denied
 */
function refusedBucket(s3: S3Calls, bucket: string, io: PokeIo): Promise<Observation | undefined> {
  return io.once(`s3:ListObjectsV2 ${bucket}`, async () => {
    try {
      await io.call('s3:ListObjectsV2', () => s3.listObjects({ Bucket: bucket, MaxKeys: 1 }));
      return undefined;
    } catch (error) {
      return isDenied(error) ? undefined : listFailure(error, bucket);
    }
  });
}

function listFailure(error: unknown, bucket: string): Observation {
  if (failureOf(error)?.code === 'NoSuchBucket') return noBucket(bucket);
  return observe(error, { operation: 's3:ListObjectsV2', permission: `s3:ListBucket on ${bucketArn(bucket)}` });
}

const listAnswer = z.object({
  Contents: z.optional(z.array(z.object({ Key: z.string(), Size: z.optional(z.number()) }))),
  IsTruncated: z.optional(z.boolean()),
  NextContinuationToken: z.optional(z.string()),
});

/** Pages through the keys that begin like the pattern. @returns the first that matches, else what keeps it waiting. */
async function matchObject(
  s3: S3Calls,
  { bucket, min_size = 0 }: S3KeyContext,
  text: string,
  io: PokeIo,
): Promise<string | Observation> {
  const pattern = compile(text);
  let small: Observation | undefined;
  let token: string | undefined;
  try {
    for (;;) {
      const page = {
        Bucket: bucket,
        Prefix: pattern.prefix,
        ...(token === undefined ? {} : { ContinuationToken: token }),
      };
      const answer = await ask(io, 's3:ListObjectsV2', () => s3.listObjects(page), listAnswer);
      for (const { Key: key, Size: size } of answer.Contents ?? []) {
        if (!pattern.matches(key)) continue;
        if (min_size === 0) return key;
        if (size === undefined) throw new UnreadableAnswer('answer misses Contents.Size');
        if (size >= min_size) return key;
        small ??= tooSmall(bucket, key, size, min_size);
      }
      token = answer.NextContinuationToken;
      if (answer.IsTruncated !== true) break;
      if (token === undefined) throw new UnreadableAnswer('answer misses NextContinuationToken');
    }
  } catch (error) {
    return listFailure(error, bucket);
  }
  return small ?? notThere(bucket, text);
}

function notThere(bucket: string, key: string): Observation {
  return { kind: 'not_met', detail: `s3://${bucket}/${key} is not there` };
}

function tooSmall(bucket: string, key: string, size: number, least: number): Observation {
  return { kind: 'not_met', detail: `s3://${bucket}/${key} has ${size} of at least ${least} bytes` };
}

function noBucket(bucket: string): Observation {
  return { kind: 'error', reason: `bucket ${bucket} does not exist` };
}
