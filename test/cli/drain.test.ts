import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { aCli } from './harness.ts';
import type { Cli, RunOptions } from './harness.ts';
import { startAws, stackWith } from './aws.ts';
import type { Aws } from './aws.ts';

const MACHINES = 'arn:aws:states:eu-west-1:111122223333:stateMachine';
const OUTPUTS = {
  ApiUrl: 'https://abc123.execute-api.eu-west-1.amazonaws.com/v1/',
  DeferralArn: `${MACHINES}:Waits`,
  SubmitAndWaitArn: `${MACHINES}:SubmitAndWait`,
};

/** Names of the executions that run, by the name of their state machine. */
let running: Record<string, Set<string>>;
/** What begins while others are stopped. */
let begins: string[];
let stopped: string[];
const causes = new Set<string>();
/** What Step Functions says instead. */
let refused: { readonly __type: string; readonly message: string } | undefined;
let aws: Aws;
let env: Record<string, string>;

beforeAll(async () => {
  aws = await startAws();
  aws.answerTo('AWSStepFunctions.ListExecutions', (body) => {
    if (refused !== undefined) return refused;
    const { stateMachineArn } = JSON.parse(body) as { stateMachineArn: string };
    const names = [...(running[stateMachineArn.slice(MACHINES.length + 1)] ?? [])];
    return { executions: names.map((name) => ({ name, executionArn: name, stateMachineArn, status: 'RUNNING' })) };
  });
  aws.answerTo('AWSStepFunctions.StopExecution', (body) => {
    const { executionArn, cause } = JSON.parse(body) as { executionArn: string; cause: string };
    const [machine = '', name = ''] = executionArn.split(':').slice(-2);
    causes.add(cause);
    running[machine]?.delete(name);
    stopped.push(`${machine}:${name}`);
    const next = begins.shift();
    if (next !== undefined) running[machine]?.add(next);
    return { stopDate: 1 };
  });
});

afterAll(() => aws.close());

beforeEach(() => {
  running = { Waits: new Set(['a-1-0', 'b-1-0']), SubmitAndWait: new Set(['mine']) };
  begins = [];
  stopped = [];
  refused = undefined;
  aws.answer(200, stackWith(OUTPUTS));
  env = { SENSORIUM_URL: OUTPUTS.ApiUrl, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL_CLOUDFORMATION: aws.url };
  env['AWS_ENDPOINT_URL_SFN'] = aws.url;
});

async function waiting(): Promise<Cli> {
  const cli = aCli();
  await cli.service.submit({ id: 'a', queue: 'q', mode: 'deferrable' });
  await cli.service.submit({ id: 'b', queue: 'q' });
  await cli.service.submit({ id: 'c', queue: 'r' });
  await cli.run('queues set q --max-workers 4 --budget s3=200');
  await cli.run('queues set r --paused');
  return cli;
}

const drained = async (cli: Cli, args: string, options: RunOptions = {}) =>
  cli.run(`drain ${args}`.trim(), { env, ...options });

test('pauses the queues, stops what the service has begun, and tells what it leaves', async () => {
  const cli = await waiting();
  const { code, stdout } = await drained(cli, '--yes');
  expect(stdout).toBe(`paused: q
were paused before: r
stopped: 2 executions of mode deferrable
left:
  2 tasks of q, in the table
  1 task of r, in the table
  1 execution of SubmitAndWait: their callers'; --callers stops them
  waitFor states and the machines of submitAndWaitIn: the service does not know them
`);
  expect(code).toBe(0);
  expect(stopped.toSorted()).toEqual(['Waits:a-1-0', 'Waits:b-1-0']);
  expect([...causes]).toEqual(['the service is drained']);
  const { records } = await cli.run('queues get q --json');
  expect(records()).toMatchObject([{ paused: true, max_workers: 4, budgets: { s3: 200 } }]);
  expect((await cli.run('get a --json')).records()).toMatchObject([{ state: 'deferred' }]);
});

test('a second time it finds nothing more to do', async () => {
  const cli = await waiting();
  await drained(cli, '--yes');
  const { code, records } = await drained(cli, '--yes --json');
  expect(records()).toEqual([
    {
      paused: [],
      paused_before: ['q', 'r'],
      stopped: 0,
      running: 0,
      callers_stopped: 0,
      callers_running: 1,
      tasks: { q: 2, r: 1 },
      runs: 0,
    },
  ]);
  expect(code).toBe(0);
});

test('--callers stops those of SubmitAndWait as well', async () => {
  const { code, stdout } = await drained(await waiting(), '--yes --callers');
  expect(stdout).toMatch(/^stopped: 1 execution of SubmitAndWait$/m);
  expect(stopped).toContain('SubmitAndWait:mine');
  expect(code).toBe(0);
});

test('what begins while it stops the others is stopped too', async () => {
  begins = ['a-1-1', 'a-2-0'];
  const { stdout } = await drained(await waiting(), '--yes');
  expect(stdout).toMatch(/^stopped: 4 executions of mode deferrable$/m);
});

test('where somebody goes on submitting it says so, with the exit code of what is not ended', async () => {
  begins = Array.from({ length: 100 }, (_, index) => `n-${index}-0`);
  const { code, stdout } = await drained(await waiting(), '--yes');
  expect(stdout).toMatch(/^ {2}2 executions of mode deferrable: somebody still submits; repeat the command$/m);
  expect(code).toBe(2);
});

test('asks first, and a no changes nothing', async () => {
  const cli = await waiting();
  const { code, stderr } = await drained(cli, '', { tty: true, answer: 'n' });
  expect(stderr).toContain('pause every queue, stop its executions? [y/N]');
  expect(code).toBe(1);
  expect(stopped).toEqual([]);
  expect((await cli.run('queues get q --json')).records()).toMatchObject([{ paused: false }]);
  expect(await drained(cli, '')).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
});

test('without the permission it says which one to ask for', async () => {
  const cli = await waiting();
  const denied = 'User: u is not authorized to perform: states:ListExecutions on resource: x';
  refused = { __type: 'AccessDeniedException', message: denied };
  expect(await drained(cli, '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ask for states:ListExecutions .* and states:StopExecution/),
  });
});

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ['an older version', { ApiUrl: OUTPUTS.ApiUrl }, /has no output DeferralArn: it is of an older version/],
  ['no stack of ours', {}, /has no output DeferralArn/],
])('%s is named, before anything is done', async (_, outputs, message) => {
  aws.answer(200, stackWith(outputs));
  const cli = await waiting();
  expect(await drained(cli, '--yes')).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  expect((await cli.run('queues get q --json')).records()).toMatchObject([{ paused: false }]);
});
