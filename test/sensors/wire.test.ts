import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from '@jest/globals';
import { EMRClient } from '@aws-sdk/client-emr';
import { createS3Client } from '../../functions/runtime/s3-client.ts';
import { fakeIo, poke, pokeAll } from './fakes.ts';

/**
 * The real clients over a scripted wire: what the SDK makes of an answer is what the sensors have to read. The fakes of
 * the other tests are only as good as this.
 */
interface Wire {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

let next: Wire | Error | ((method: string) => Wire) = { status: 200 };

interface Sent {
  readonly method: string;
  readonly hostname: string;
  readonly path: string;
}
const sent: string[] = [];

const requestHandler = {
  metadata: { handlerProtocol: 'http/1.1' },
  handle: async ({ method, hostname, path }: Sent) => {
    sent.push(`${method} ${hostname}${path}`);
    const wire = typeof next === 'function' ? next(method) : next;
    if (wire instanceof Error) throw wire;
    const body = Readable.from([Buffer.from(wire.body ?? '')]);
    return { response: { statusCode: wire.status, headers: wire.headers ?? {}, body } };
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
    [
      'HEAD 301',
      KEY,
      { status: 301, headers: region },
      { kind: 'error', reason: expect.stringContaining('eu-west-1') },
    ],
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

/** What S3 says of a request that it refuses: with a body to a LIST, without one to a HEAD. */
const refused = (status: number, code: string, more = ''): Wire => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>so it is</Message>${more}</Error>`,
});

describe('a HEAD has no body: what it would have said is asked of a LIST', () => {
  const DENIED = { kind: 'error', reason: expect.stringMatching(/access denied.*s3:GetObject.*s3:ListBucket/) };

  /** A HEAD is refused, and a LIST as the wire says. */
  async function ask(status: number, list: Wire) {
    next = (method) => (method === 'HEAD' ? { status } : list);
    const io = fakeIo();
    const observation = await poke({ s3, emr }, KEY, { io });
    expect(io.operations).toEqual(['s3:HeadObject', 's3:ListObjectsV2']);
    return observation;
  }

  test.each<[string, Wire, 'unknown' | 'error', RegExp]>([
    ['N010: our token has expired', refused(400, 'ExpiredToken'), 'unknown', /ExpiredToken/],
    ['our token is none', refused(400, 'InvalidToken'), 'unknown', /InvalidToken/],
    ['our key is not known', refused(403, 'InvalidAccessKeyId'), 'unknown', /InvalidAccessKeyId/],
    ['our secret is wrong', refused(403, 'SignatureDoesNotMatch'), 'unknown', /SignatureDoesNotMatch/],
    ['our clock is off', refused(403, 'RequestTimeTooSkewed'), 'unknown', /RequestTimeTooSkewed/],
    [
      'signed for another Region',
      refused(400, 'AuthorizationHeaderMalformed', '<Region>eu-west-1</Region>'),
      'error',
      /Region eu-west-1/,
    ],
    ['another Region', { ...refused(301, 'PermanentRedirect'), headers: region }, 'error', /Region eu-west-1/],
    ['no bucket', refused(404, 'NoSuchBucket'), 'error', /bucket landing does not exist/],
    ['slow down', refused(503, 'SlowDown'), 'unknown', /throttled/],
    ['broken', { status: 500, body: '' }, 'unknown', /500/],
    ['something between us and S3', { status: 403, body: '<html>' }, 'unknown', /without a code/],
  ])('%s', async (_, list, kind, reason) => {
    for (const status of [400, 403, 301]) {
      expect(await ask(status, list)).toMatchObject({ kind, reason: expect.stringMatching(reason) });
    }
  });

  test('denied is denied', async () => {
    expect(await ask(403, refused(403, 'AccessDenied'))).toMatchObject(DENIED);
  });

  test('a bucket that may be listed leaves it to the HEAD: this key may not be read', async () => {
    expect(await ask(403, { status: 200, body: LISTED })).toMatchObject(DENIED);
    expect(await ask(400, { status: 200, body: LISTED })).toEqual({ kind: 'error', reason: 's3:HeadObject: 400' });
  });

  test('once a bucket and run', async () => {
    next = (method) => (method === 'HEAD' ? { status: 400 } : refused(400, 'ExpiredToken'));
    const io = fakeIo();
    const inputs = ['a', 'b', 'c'].map((key) => ({ ...KEY, key }));
    const kinds = (await pokeAll({ s3, emr }, inputs, { io })).map(({ kind }) => kind);
    expect(kinds).toEqual(['unknown', 'unknown', 'unknown']);
    expect(io.operations.filter((operation) => operation === 's3:ListObjectsV2')).toHaveLength(1);
  });
});

test.each([
  ['landing', 'HEAD landing.s3.us-east-1.amazonaws.com/a'],
  ['my_company_logs', 'HEAD s3.us-east-1.amazonaws.com/my_company_logs/a'],
  ['MyCompanyLogs', 'HEAD s3.us-east-1.amazonaws.com/MyCompanyLogs/a'],
])('N005: the bucket %s is asked for where it can be: no name of a host has capitals', async (bucket, request) => {
  next = { status: 200 };
  expect(await poke({ s3, emr }, { ...KEY, bucket })).toEqual({ kind: 'met' });
  expect(sent.at(-1)).toBe(request);
});
