import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HeadBucketCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { createS3Client } from '../../functions/runtime/s3-client.ts';
import { failureOf } from '../../functions/sensors/aws-errors.ts';

let client: S3Client;
let status = 404;
let asked = 0;
let connections = 0;

const server = createServer((request, response) => {
  asked += 1;
  request.resume();
  response.writeHead(status, { 'content-type': 'application/xml', 'transfer-encoding': 'chunked' });
  response.end(request.method === 'HEAD' ? undefined : '<Error><Code>NoSuchBucket</Code></Error>');
}).on('connection', () => (connections += 1));

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = createS3Client({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 4,
  });
});

afterAll(async () => {
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const head = (): Promise<unknown> => client.send(new HeadObjectCommand({ Bucket: 'landing', Key: 'a' }));

async function failing(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return error;
  }
}

test('what is not there is told as the SDK tells it, and the connection is kept', async () => {
  const limit = Error.stackTraceLimit;
  for (let call = 0; call < 5; call += 1) {
    const error = await failing(head);
    expect(error).toBeInstanceOf(Error);
    expect(failureOf(error)).toMatchObject({ code: 'NotFound', status: 404, server: false, network: false });
  }
  const bucket = await failing(() => client.send(new HeadBucketCommand({ Bucket: 'landing' })));
  expect(failureOf(bucket)).toMatchObject({ status: 404 });
  expect(connections).toBe(1);
  expect(Error.stackTraceLimit).toBe(limit);
});

test('what another operation does not find has its code, as the SDK reads it', async () => {
  const error = await failing(() => client.send(new ListObjectsV2Command({ Bucket: 'landing' })));
  expect(failureOf(error)).toMatchObject({ code: 'NoSuchBucket', status: 404 });
});

test.each([403, 500, 503])('HEAD %d is an error of the SDK, of one attempt', async (answer) => {
  status = answer;
  const before = asked;
  expect(failureOf(await failing(head))).toMatchObject({ status: answer, server: answer >= 500 });
  expect(asked).toBe(before + 1);
});
