import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { awsEnv, reachable } from '../../local/deploy.ts';
import { freePort } from '../../local/port.ts';

const ENDPOINT = 'http://127.0.0.1:4566';

test('a URL of API Gateway is rewritten to where the emulator serves it', () => {
  expect(reachable('https://d03de99b.execute-api.us-east-1.amazonaws.com/v1/', ENDPOINT)).toBe(
    `${ENDPOINT}/_aws/execute-api/d03de99b/v1/`,
  );
  expect(reachable('arn:aws:s3:::landing', ENDPOINT)).toBe('arn:aws:s3:::landing');
});

test("the emulator is spoken to whatever the user's own profile", () => {
  const user = { PATH: '/bin', AWS_PROFILE: 'production', AWS_SESSION_TOKEN: 'secret', NO_PROXY: 'intern' };
  expect(awsEnv(user, ENDPOINT)).toEqual({
    PATH: '/bin',
    AWS_ENDPOINT_URL: ENDPOINT,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    NO_PROXY: 'intern,127.0.0.1,localhost',
  });
});

test('a port that is taken is not used', async () => {
  const server = createServer();
  const taken = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  expect(await freePort(taken)).not.toBe(taken);
  await new Promise((resolve) => server.close(resolve));
  expect(await freePort(taken)).toBe(taken);
});
