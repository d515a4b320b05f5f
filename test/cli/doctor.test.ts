import { expect, test } from '@jest/globals';
import { aCli } from './harness.ts';
import type { RunOptions } from './harness.ts';
import { T0 } from '../support/tasks.ts';

const marks = (stdout: string): string[] =>
  stdout
    .split('\n')
    .slice(0, 6)
    .map((line) => line.slice(0, 19).replaceAll(/ +/g, ' ').trim());

test('all is well: a line a check', async () => {
  const { run } = aCli();
  const { code, stdout } = await run('doctor');
  expect(stdout).toBe(`ok    credentials  access key ...MPLE
ok    region       eu-west-1
ok    stack        not looked at: the address is given
ok    endpoint     https://abc123.execute-api.eu-west-1.amazonaws.com/v1/ answers
ok    clock        as the service has it
ok    permission   a signed request was taken (0 queues)
-     concurrency  the stack is not looked at: the address is given
all is well
`);
  expect(code).toBe(0);
  expect((await run('doctor --json')).records()).toHaveLength(7);
});

const denied: NonNullable<RunOptions['fetch']> = async () =>
  new Response('{"message":"User: x is not authorized to perform: execute-api:Invoke"}', {
    status: 403,
    headers: { date: new Date(T0).toUTCString() },
  });

test.each<[string, RunOptions, string[], RegExp]>([
  [
    'no credentials',
    {
      credentials: async () => {
        throw Object.assign(new Error('none'), { name: 'CredentialsProviderError' });
      },
    },
    ['FAIL credentials', 'ok region', 'ok stack', 'ok endpoint', 'ok clock', '- permission'],
    /There are no AWS credentials: sign in/,
  ],
  [
    'credentials that have expired',
    {
      credentials: async () => ({
        accessKeyId: 'ASIAEXAMPLE',
        secretAccessKey: 's',
        sessionToken: 't',
        expiration: new Date(T0 - 7_200_000),
      }),
    },
    ['FAIL credentials', 'ok region', 'ok stack', 'ok endpoint', 'ok clock', 'ok permission'],
    /access key ...MPLE, temporary: they expired 2 h ago. Sign in again/,
  ],
  [
    'no region, and so no stack',
    { env: { SENSORIUM_URL: '' } },
    ['ok credentials', 'FAIL region', '- stack', '- endpoint', '- clock', '- permission'],
    /give --region/,
  ],
  [
    'an address that is none',
    { env: { SENSORIUM_URL: 'here', AWS_REGION: 'eu-west-1' } },
    ['ok credentials', 'ok region', 'FAIL stack', '- endpoint', '- clock', '- permission'],
    /SENSORIUM_URL must be the address/,
  ],
  [
    'no network',
    {
      fetch: async () => {
        throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') });
      },
    },
    ['ok credentials', 'ok region', 'ok stack', 'FAIL endpoint', '- clock', '- permission'],
    /does not answer \(getaddrinfo ENOTFOUND\): look at/,
  ],
  [
    'a clock that is off',
    { skewMs: -3_600_000 },
    ['ok credentials', 'ok region', 'ok stack', 'ok endpoint', 'FAIL clock', 'ok permission'],
    /1 h behind the service.*set the clock/,
  ],
  [
    'a clock that is a little off',
    { skewMs: 60_000 },
    ['ok credentials', 'ok region', 'ok stack', 'ok endpoint', 'ok clock', 'ok permission'],
    /1 min ahead of the service, which does no harm/,
  ],
  [
    'no permission',
    { fetch: denied },
    ['ok credentials', 'ok region', 'ok stack', 'ok endpoint', 'ok clock', 'FAIL permission'],
    /ask for execute-api:Invoke/,
  ],
])('%s', async (_, options, checks, words) => {
  const { code, stdout } = await aCli().run('doctor', options);
  expect(marks(stdout)).toEqual(checks);
  expect(stdout).toMatch(words);
  expect(code).toBe(checks.some((check) => check.startsWith('FAIL')) ? 1 : 0);
});
