import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { judgeConcurrency } from '../../cli/concurrency.ts';
import { startAws, stackWith } from './aws.ts';
import type { Aws } from './aws.ts';
import { aCli } from './harness.ts';

let aws: Aws;
let account: object = {};

beforeAll(async () => {
  aws = await startAws();
  aws.answerTo('/2016-08-19/account-settings', () => account);
});
afterAll(async () => aws.close());

const OUTPUTS = { ApiUrl: 'https://abc123.execute-api.eu-west-1.amazonaws.com/v1/', MaxConcurrency: '500' };

async function examined(outputs: Readonly<Record<string, string>> = OUTPUTS) {
  aws.answer(200, stackWith(outputs));
  const endpoints = { AWS_ENDPOINT_URL_CLOUDFORMATION: aws.url, AWS_ENDPOINT_URL_LAMBDA: aws.url };
  const env = { SENSORIUM_URL: '', AWS_REGION: 'eu-west-1', ...endpoints };
  const ran = await aCli().run('doctor --json', { env });
  return { code: ran.code, finding: ran.records().find(({ check }) => check === 'concurrency') };
}

test('doctor compares what the service may take with what the account has', async () => {
  account = { AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 1000 } };
  expect(await examined()).toEqual({
    code: 0,
    finding: {
      check: 'concurrency',
      state: 'ok',
      detail: 'the account has 1,000 concurrent executions; workers and runs take 500 at most',
    },
  });
});

test('an account of 10, which a new one has: what to do', async () => {
  account = { AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } };
  expect(await examined()).toMatchObject({
    code: 1,
    finding: {
      state: 'failed',
      detail: expect.stringMatching(/a new account has 10.*L-B99A9384.*"max_concurrency":5/),
    },
  });
});

test('who may not ask, or has an older stack, is told so and is no failure', async () => {
  account = { __type: 'AccessDeniedException', message: 'not authorized' };
  expect(await examined()).toMatchObject({
    code: 0,
    finding: { state: 'skipped', detail: expect.stringContaining('lambda:GetAccountSettings') },
  });
  const { MaxConcurrency: _, ...older } = OUTPUTS;
  expect(await examined(older)).toMatchObject({ code: 0, finding: { state: 'skipped' } });
});

test.each([
  [500, 1000, 1000, true, /take 500 at most$/],
  [501, 1000, 1000, true, /more than half/],
  [500, 1000, 900, true, /900 of them unreserved.*"max_concurrency":450/],
  [1000, 1000, 1000, false, /leaves nothing/],
  [5, 10, 10, true, /take 5 at most$/],
  [3, 3, 3, false, /"max_concurrency":2/],
])('%i of %i, %i of them unreserved', (cap, limit, unreserved, fits, words) => {
  const judged = judgeConcurrency(cap, { limit, unreserved });
  expect(judged).toMatchObject({ fits, detail: expect.stringMatching(words) });
});
