import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from '@jest/globals';
import { EMRClient } from '@aws-sdk/client-emr';
import { createS3Client } from '../../functions/runtime/s3-client.ts';
import { fakeIo, poke } from './fakes.ts';

/**
 * The real clients over a scripted wire: what the SDK makes of an answer is what the sensors have to read. The fakes of
 * the other tests are only as good as this.
 */
interface Wire {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

let next: Wire | Error = { status: 200 };

const requestHandler = {
  metadata: { handlerProtocol: 'http/1.1' },
  handle: async () => {
    if (next instanceof Error) throw next;
    const body = Readable.from([Buffer.from(next.body ?? '')]);
    return { response: { statusCode: next.status, headers: next.headers ?? {}, body } };
  },
};

const config = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  maxAttempts: 1,
  requestHandler,
};
const s3 = createS3Client(config);
const emr = new EMRClient(config);

afterAll(() => {
  s3.destroy();
  emr.destroy();
});

const xml = (code: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>so it is</Message></Error>`;
const json = (code: string): string => JSON.stringify({ __type: code, Message: 'so it is' });
const KEY = { type: 's3_key', bucket: 'landing', key: 'a' };
const WILD = { ...KEY, key: 'a*', wildcard_match: true };
const STEP = { type: 'emr_step', job_flow_id: 'j-1', step_id: 's-1' };
const LISTED =
  '<ListBucketResult><Contents><Key>ab</Key><Size>5</Size></Contents><IsTruncated>false</IsTruncated></ListBucketResult>';
const region = { 'x-amz-bucket-region': 'eu-west-1' };

describe('what the SDK makes of the wire', () => {
  test.each<[string, object, Wire | Error, object]>([
    ['HEAD 200', KEY, { status: 200, headers: { 'content-length': '5' } }, { kind: 'met' }],
    [
      'HEAD 200, size',
      { ...KEY, min_size: 6 },
      { status: 200, headers: { 'content-length': '5' } },
      { kind: 'not_met' },
    ],
    ['HEAD 404', KEY, { status: 404 }, { kind: 'not_met' }],
    ['HEAD 404, size', { ...KEY, min_size: 6 }, { status: 404 }, { kind: 'not_met' }],
    ['HEAD 403', KEY, { status: 403 }, { kind: 'error', reason: expect.stringContaining('s3:ListBucket') }],
    [
      'HEAD 301',
      KEY,
      { status: 301, headers: region },
      { kind: 'error', reason: expect.stringContaining('eu-west-1') },
    ],
    ['HEAD 400', KEY, { status: 400 }, { kind: 'error' }],
    ['HEAD 307', KEY, { status: 307 }, { kind: 'unknown' }],
    ['HEAD 500', KEY, { status: 500 }, { kind: 'unknown' }],
    ['HEAD 503', KEY, { status: 503 }, { kind: 'unknown', throttled: true }],
    ['LIST 200', WILD, { status: 200, body: LISTED }, { kind: 'met', value: { keys: ['ab'] } }],
    ['LIST 200, nothing', WILD, { status: 200, body: '<ListBucketResult/>' }, { kind: 'not_met' }],
    [
      'LIST no such bucket',
      WILD,
      { status: 404, body: xml('NoSuchBucket') },
      { kind: 'error', reason: 'bucket landing does not exist' },
    ],
    [
      'LIST redirect',
      WILD,
      { status: 301, headers: region, body: xml('PermanentRedirect') },
      { kind: 'error', reason: expect.stringContaining('eu-west-1') },
    ],
    [
      'LIST denied',
      WILD,
      { status: 403, body: xml('AccessDenied') },
      { kind: 'error', reason: expect.stringContaining('s3:ListBucket') },
    ],
    ['LIST slow down', WILD, { status: 503, body: xml('SlowDown') }, { kind: 'unknown', throttled: true }],
    ['LIST expired', WILD, { status: 400, body: xml('ExpiredToken') }, { kind: 'unknown' }],
    ['LIST broken', WILD, { status: 200, body: '<html' }, { kind: 'unknown' }],
    [
      'EMR 200',
      STEP,
      { status: 200, body: '{"Steps":[{"Id":"s-1","Status":{"State":"RUNNING"}}]}' },
      { kind: 'not_met', state: 'RUNNING' },
    ],
    ['EMR 200, nothing', STEP, { status: 200, body: '{}' }, { kind: 'unknown' }],
    [
      'EMR refused',
      STEP,
      { status: 400, body: json('InvalidRequestException') },
      { kind: 'error', reason: expect.stringContaining('so it is') },
    ],
    ['EMR throttled', STEP, { status: 400, body: json('ThrottlingException') }, { kind: 'unknown', throttled: true }],
    [
      'EMR denied',
      STEP,
      { status: 400, body: json('AccessDeniedException') },
      { kind: 'error', reason: expect.stringContaining('elasticmapreduce:ListSteps') },
    ],
    ['EMR expired', STEP, { status: 400, body: json('ExpiredTokenException') }, { kind: 'unknown' }],
    ['EMR internal', STEP, { status: 500, body: json('InternalServerException') }, { kind: 'unknown' }],
    ['EMR gateway', STEP, { status: 502, body: '<html>' }, { kind: 'unknown' }],
    ['EMR broken', STEP, { status: 200, body: '<html>' }, { kind: 'unknown' }],
    ['network', STEP, Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }), { kind: 'unknown' }],
  ])('%s', async (_, input, wire, expected) => {
    next = wire;
    expect(await poke({ s3, emr }, input, { io: fakeIo() })).toMatchObject(expected);
  });
});
