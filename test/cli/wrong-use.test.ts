import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import { aService } from '../api/service.ts';
import { errorOf, stackWith, startAws } from './aws.ts';
import type { Aws } from './aws.ts';
import { aCli, URL_OF_API } from './harness.ts';
import type { RunOptions } from './harness.ts';

/** Every sentence says what to do: it names a flag, a command, a variable or somebody to ask. */
const ADVICE = /--\w|`sensorium|AWS_|Repeat|ask for|sign in|set it|Name |Did you mean|Allowed choices|must be|npx cdk/i;

describe('wrong arguments are 2, and nothing is asked of the service', () => {
  test.each([
    ['lst', /unknown command 'lst'\n\(Did you mean list\?\)\nRun `sensorium --help`/],
    ['list --bogus', /unknown option '--bogus'\nRun `sensorium list --help`/],
    ['list --queu q', /unknown option '--queu'\n\(Did you mean --queue\?\)/],
    ['list --limit ten', /argument 'ten' is invalid. It must be a whole number from 1 to 100/],
    ['list --limit 0', /from 1 to 100/],
    ['list --all --limit 5', /--all lists every page/],
    ['list --state waiting', /Allowed choices are sensing, /],
    ['list q', /too many arguments/],
    ['get', /missing required argument 'id'/],
    ['get a b', /too many arguments/],
    // N027
    ['get ..', /value '\.\.' is invalid for argument 'id'. "\.\." is no id and no name: a URL cannot carry it/],
    ['cancel a . --yes', /'\.' is invalid for argument 'ids'/],
    ['watch a ..', /'\.\.' is invalid for argument 'ids'/],
    ['queues set .. --paused', /'\.\.' is invalid for argument 'name'/],
    ['explain', /missing required argument 'id'/],
    ['watch', /Name a task by its id, or choose several with --queue/],
    ['watch a --queue q --dag d', /but not both/],
    ['submit datetime --at 2024-01-01T00:00:00Z --queue ..', /--queue: "\.\." is no id and no name/],
    ['get a --queue ..', /'\.\.' is invalid/],
    ['watch a --limit soon', /It must be seconds, a number with s, m, h or d/],
    ['clear', /Name a task by its id/],
    ['cancel a --state failed', /but not both/],
    ['cancel --queue q', /add --yes if you mean it/],
    ['mark a', /required option '--as <state>' not specified/],
    ['mark a --as sensing', /Allowed choices are success, failed, skipped/],
    ['queues set', /missing required argument 'name'/],
    ['queues set q --max-workers many', /It must be a whole number of at least 1/],
    ['queues set q --budget s3', /It must be api=calls per second/],
    ['queues drop q', /too many arguments|unknown command/],
    ['submit', /sensorium submit s3-key ...\), or name a file with --file/],
    ['submit s4-key', /There is no sensor "s4-key": name one of s3-key, emr-step/],
    ['submit s3-key --bucket b', /required option '--key <text...>' not specified/],
    ['submit s3-key --key k --retries two', /It must be a number/],
    ['submit s3-key --key k --mode fast', /Allowed choices are smart/],
    ['submit s3-key --key k --tags team', /It must be name=value/],
    ['submit s3-key --key k --wait soon', /It must be seconds/],
    ['submit external --watches {', /It must be JSON/],
    ['submit --file /nowhere/tasks.jsonl', /The file \/nowhere\/tasks.jsonl cannot be read: ENOENT.*Give the path/],
    ['submit --file /', /The file \/ cannot be read: EISDIR/],
    ['estimate', /sensorium estimate/],
    ['estimate s3-key --key s3://b/k --duplicates 0', /of at least 1/],
    ['simulate', /missing required argument 'files'/],
    ['completion fish', /Allowed choices are bash, zsh/],
    ['list --url sensorium', /--url must be the address of the API/],
  ])('%s', async (args, words) => {
    const { run, requests } = aCli();
    const ran = await run(args);
    expect(ran.stderr).toMatch(words);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(requests).toEqual([]);
  });
});

const answered =
  (status: number, message: string): NonNullable<RunOptions['fetch']> =>
  async () =>
    new Response(JSON.stringify({ message }), { status });

const failing = (code: string): NonNullable<RunOptions['fetch']> => {
  return async () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) });
  };
};

describe('what the way to the service can be wrong in is 1, with what to do', () => {
  test.each<[string, RunOptions, RegExp]>([
    ['down', { fetch: failing('ECONNREFUSED') }, /does not answer: .*ECONNREFUSED.*`sensorium doctor`/],
    ['no such host', { fetch: failing('ENOTFOUND') }, /does not answer: .*--url and --region/],
    ['busy', { fetch: answered(503, 'busy') }, /in trouble \(503: busy\). Repeat the command/],
    ['a defect', { fetch: answered(500, 'oops') }, /in trouble \(500: oops\)/],
    [
      'denied',
      { fetch: answered(403, 'User: x is not authorized to perform: execute-api:Invoke') },
      /ask for execute-api:Invoke/,
    ],
    ['expired', { fetch: answered(403, 'The security token included in the request is expired') }, /sign in again/],
    [
      'unknown keys',
      { fetch: answered(403, 'The security token included in the request is invalid.') },
      /AWS does not know these/,
    ],
    [
      'a wrong secret',
      { fetch: answered(403, 'The request signature we calculated does not match') },
      /AWS_SECRET_ACCESS_KEY/,
    ],
    [
      'the clock',
      { fetch: answered(403, 'Signature expired: 20240101T000000Z is now earlier than') },
      /clock of this machine is off/,
    ],
    ['a wrong region', { fetch: answered(403, 'Credential should be scoped to a valid region.') }, /--region/],
    ['a wrong address', { fetch: answered(403, 'Missing Authentication Token') }, /not that of the API.*--url/],
    [
      'another service',
      { fetch: async () => new Response('<html>', { status: 200 }) },
      /Something else stands at this address/,
    ],
    ['forbidden', { fetch: answered(403, 'Forbidden') }, /refused \(Forbidden\).*ask for execute-api:Invoke/],
    ['no task', {}, /There is no task with this id. `sensorium list`/],
  ])('%s', async (_, options, words) => {
    const ran = await aCli().run('get t1', options);
    expect(ran.stderr).toMatch(words);
    expect(ran.stderr).toMatch(ADVICE);
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
  });

  test('what the operator has not opened', async () => {
    const { run } = aCli(aService({ opened: { ...ALL_OPEN, allow: [] } }));
    const s3 = await run('submit s3-key --bucket landing --key a');
    expect(s3).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: The operator has not opened arn:.*-c allow=/),
    });
    const emr = await aCli().run('submit emr-step --job-flow-id j --step-id s --cancel-on-kill');
    expect(emr).toMatchObject({ code: 1, stderr: expect.stringMatching(/lets nobody cancel.*-c allowCancel=true/) });
  });

  test('no credentials', async () => {
    const credentials = async () => {
      throw Object.assign(new Error('Could not load credentials from any providers'), {
        name: 'CredentialsProviderError',
      });
    };
    const ran = await aCli().run('get t1', { credentials });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/There are no AWS credentials: sign in/) });
  });
});

describe('the stack', () => {
  let aws: Aws;
  beforeAll(async () => {
    aws = await startAws();
  });
  afterAll(() => aws.close());

  const run = (args: string, env: Record<string, string> = {}) => {
    const there = { SENSORIUM_URL: '', AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL_CLOUDFORMATION: aws.url, ...env };
    return aCli().run(args, { env: there });
  };

  test('its output ApiUrl is where the service is', async () => {
    aws.answer(200, stackWith({ ApiUrl: URL_OF_API }));
    expect(await run('queues')).toMatchObject({ code: 0 });
  });

  test.each<[string, string, number, string, RegExp]>([
    [
      'there is none',
      '',
      400,
      errorOf('ValidationError', 'Stack with id Sensorium does not exist'),
      /no stack "Sensorium" in eu-west-1: deploy it \(npx cdk deploy\), or name another with --stack/,
    ],
    [
      'another name',
      ' --stack Other',
      400,
      errorOf('ValidationError', 'Stack with id Other does not exist'),
      /no stack "Other"/,
    ],
    ['no output', '', 200, stackWith({}), /has no output ApiUrl/],
    [
      'denied',
      '',
      403,
      errorOf('AccessDenied', 'User x is not authorized to perform: cloudformation:DescribeStacks'),
      /cloudformation:DescribeStacks on its stack \(or give --url\)/,
    ],
    [
      'expired',
      '',
      403,
      errorOf('ExpiredToken', 'The security token included in the request is expired'),
      /sign in again/,
    ],
    [
      'unknown keys',
      '',
      403,
      errorOf('InvalidClientTokenId', 'The security token included in the request is invalid.'),
      /AWS does not know these credentials/,
    ],
  ])('%s', async (_, flags, status, body, words) => {
    aws.answer(status, body);
    const ran = await run(`list${flags}`);
    expect(ran.stderr).toMatch(words);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
  });

  test('CloudFormation does not answer', async () => {
    const ran = await run('list', { AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:1' });
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/AWS does not answer \(ECONNREFUSED\).*--region/),
    });
  });

  test('no region at all; that of the address, of a flag, of the profile', async () => {
    expect(await run('list', { AWS_REGION: '' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/give --region/),
    });
    aws.answer(200, stackWith({ ApiUrl: URL_OF_API }));
    expect(await run('list --region eu-west-1', { AWS_REGION: '' })).toMatchObject({ code: 0 });
    expect(await run('list', { AWS_REGION: '', SENSORIUM_URL: URL_OF_API })).toMatchObject({ code: 0 });
    const options = { env: { AWS_REGION: '', SENSORIUM_URL: '', AWS_ENDPOINT_URL_CLOUDFORMATION: aws.url } };
    const profile = { ...options, configuredRegion: async () => 'eu-west-1' };
    expect(await aCli().run('list --profile work', profile)).toMatchObject({ code: 0 });
  });
});
