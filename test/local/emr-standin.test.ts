import {
  AddJobFlowStepsCommand,
  CancelStepsCommand,
  DescribeClusterCommand,
  DescribeStepCommand,
  EMRClient,
  type EMRServiceException,
  InternalServerException,
  InvalidRequestException,
  ListStepsCommand,
  RunJobFlowCommand,
  TerminateJobFlowsCommand,
} from '@aws-sdk/client-emr';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startEmrStandIn, type StandIn } from '../../local/emr-standin/server.ts';
import { AWS_LIMITS } from '../../local/emr-standin/token-bucket.ts';

const START = Date.UTC(2026, 10, 30);

let now = START;
let standIn: StandIn;
let emr: EMRClient;

beforeEach(async () => {
  now = START;
  standIn = await startEmrStandIn({ now: () => now });
  emr = client(standIn);
});

afterEach(async () => {
  emr.destroy();
  await standIn.stop();
});

function client({ url }: StandIn): EMRClient {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return new EMRClient({ endpoint: url, region: 'us-east-1', credentials, maxAttempts: 1 });
}

async function cluster(keepAlive = true): Promise<string> {
  const { JobFlowId } = await emr.send(
    new RunJobFlowCommand({ Name: 'night', Instances: { KeepJobFlowAliveWhenNoSteps: keepAlive } }),
  );
  return JobFlowId!;
}

async function addSteps(id: string, count: number, ...args: string[]): Promise<string[]> {
  const Steps = Array.from({ length: count }, (_, index) => ({
    Name: `step ${index}`,
    HadoopJarStep: { Jar: 'command-runner.jar', Args: ['spark-submit', ...args] },
  }));
  return (await emr.send(new AddJobFlowStepsCommand({ JobFlowId: id, Steps }))).StepIds!;
}

async function status(ClusterId: string, StepId: string) {
  return (await emr.send(new DescribeStepCommand({ ClusterId, StepId }))).Step!.Status!;
}

async function script(body: object): Promise<void> {
  const answer = await fetch(`${standIn.url}/_standin/script`, { method: 'POST', body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

async function stats() {
  return ((await (await fetch(`${standIn.url}/_standin/stats`)).json()) as { calls: unknown }).calls;
}

async function errorOf(call: Promise<unknown>): Promise<EMRServiceException> {
  return call.then(
    () => expect.unreachable('expected an error'),
    (error: EMRServiceException) => error,
  );
}

describe('a step', () => {
  test('takes its time and ends as its arguments say', async () => {
    const id = await cluster();
    const [step] = await addSteps(id, 1, '--standin-pending=2', '--standin-running=30');

    expect(await status(id, step!)).toMatchObject({ State: 'PENDING' });
    now = START + 2_000;
    expect(await status(id, step!)).toMatchObject({ State: 'RUNNING' });
    now = START + 31_999;
    expect(await status(id, step!)).toMatchObject({ State: 'RUNNING' });
    now = START + 32_000;
    expect(await status(id, step!)).toMatchObject({
      State: 'COMPLETED',
      Timeline: {
        CreationDateTime: new Date(START),
        StartDateTime: new Date(START + 2_000),
        EndDateTime: new Date(START + 32_000),
      },
    });
  });

  test('that fails says why', async () => {
    const id = await cluster();
    const [step] = await addSteps(
      id,
      1,
      '--standin-outcome=FAILED',
      '--standin-reason=Unknown Error.',
      '--standin-message=Exit code 137',
      '--standin-log-file=s3://logs/stderr.gz',
    );
    now = START + 60_000;
    expect(await status(id, step!)).toMatchObject({
      State: 'FAILED',
      FailureDetails: { Reason: 'Unknown Error.', Message: 'Exit code 137', LogFile: 's3://logs/stderr.gz' },
    });
  });

  test('ends at once when a script says so, and then for good', async () => {
    const id = await cluster();
    const [step] = await addSteps(id, 1);
    const end = { cluster_id: id, step_id: step, state: 'FAILED', failure: { Reason: 'Out of memory' } };
    await script({ steps: [end] });
    expect(await status(id, step!)).toMatchObject({ State: 'FAILED', FailureDetails: { Reason: 'Out of memory' } });
    await script({ steps: [{ ...end, state: 'COMPLETED' }] });
    expect(await status(id, step!)).toMatchObject({ State: 'FAILED' });
  });

  test('is cancelled while it is active, not after its end', async () => {
    const id = await cluster();
    const [done] = await addSteps(id, 1, '--standin-running=1');
    now = START + 10_000;
    const [active] = await addSteps(id, 1);
    const { CancelStepsInfoList } = await emr.send(
      new CancelStepsCommand({ ClusterId: id, StepIds: [done!, active!] }),
    );
    expect(CancelStepsInfoList).toMatchObject([{ Status: 'FAILED' }, { StepId: active, Status: 'SUBMITTED' }]);
    expect(await status(id, active!)).toMatchObject({ State: 'CANCELLED' });
    expect(await status(id, done!)).toMatchObject({ State: 'COMPLETED' });
  });

  test('whose arguments make no sense is refused, and the others of its call with it', async () => {
    const id = await cluster();
    const error = await errorOf(addSteps(id, 2, '--standin-running=soon'));
    expect(error).toMatchObject({ name: 'ValidationException', message: '"soon" is no number of seconds' });
    expect((await emr.send(new ListStepsCommand({ ClusterId: id }))).Steps).toEqual([]);
  });
});

describe('ListSteps', () => {
  test('gives pages of 50, newest first', async () => {
    const id = await cluster();
    const ids = await addSteps(id, 120);
    const seen: string[] = [];
    let Marker: string | undefined;
    const sizes: number[] = [];
    do {
      const page = await emr.send(new ListStepsCommand({ ClusterId: id, Marker }));
      seen.push(...page.Steps!.map((step) => step.Id!));
      sizes.push(page.Steps!.length);
      ({ Marker } = page);
    } while (Marker !== undefined);
    expect(sizes).toEqual([50, 50, 20]);
    expect(seen).toEqual(ids.toReversed());
  });

  test('filters by state', async () => {
    const id = await cluster();
    await addSteps(id, 60, '--standin-running=1');
    const slow = await addSteps(id, 3, '--standin-running=100');
    now = START + 10_000;
    const active = await emr.send(new ListStepsCommand({ ClusterId: id, StepStates: ['PENDING', 'RUNNING'] }));
    expect(active.Steps!.map((step) => step.Id)).toEqual(slow.toReversed());
    expect(active.Marker).toBeUndefined();
  });

  test('answers up to ten ids in their order', async () => {
    const id = await cluster();
    const ids = await addSteps(id, 12);
    const ten = ids.slice(0, 10);
    const { Steps } = await emr.send(new ListStepsCommand({ ClusterId: id, StepIds: ten }));
    expect(Steps!.map((step) => step.Id)).toEqual(ten);
    const error = await errorOf(emr.send(new ListStepsCommand({ ClusterId: id, StepIds: ids.slice(0, 11) })));
    expect(error).toBeInstanceOf(InvalidRequestException);
  });

  test('refuses the whole call for one id that does not exist', async () => {
    const id = await cluster();
    const [step] = await addSteps(id, 1);
    const error = await errorOf(emr.send(new ListStepsCommand({ ClusterId: id, StepIds: [step!, 's-NONE'] })));
    expect(error).toBeInstanceOf(InvalidRequestException);
    expect(error.message).toBe("Step id 's-NONE' is not valid.");
  });
});

describe('a cluster', () => {
  test('starts, waits and is terminated together with its steps', async () => {
    const id = await cluster();
    const state = async () => (await emr.send(new DescribeClusterCommand({ ClusterId: id }))).Cluster!.Status;
    expect(await state()).toMatchObject({ State: 'STARTING' });
    now = START + 1_000;
    expect(await state()).toMatchObject({ State: 'WAITING' });
    const [step] = await addSteps(id, 1);
    expect(await state()).toMatchObject({ State: 'RUNNING' });

    await emr.send(new TerminateJobFlowsCommand({ JobFlowIds: [id] }));
    expect(await state()).toMatchObject({
      State: 'TERMINATED',
      StateChangeReason: { Code: 'USER_REQUEST' },
      Timeline: { EndDateTime: new Date(now) },
    });
    expect(await status(id, step!)).toMatchObject({ State: 'CANCELLED' });
    expect((await errorOf(addSteps(id, 1))).message).toMatch(/terminated, or finished may not be modified/);
  });

  test('that is not kept alive ends with its last step', async () => {
    const id = await cluster(false);
    await addSteps(id, 1, '--standin-running=1');
    now = START + 10_000;
    const { Cluster } = await emr.send(new DescribeClusterCommand({ ClusterId: id }));
    expect(Cluster!.Status).toMatchObject({
      State: 'TERMINATED',
      StateChangeReason: { Code: 'ALL_STEPS_COMPLETED' },
      Timeline: { EndDateTime: new Date(START + 2_000) },
    });
  });

  test('holds 256 active steps', async () => {
    const id = await cluster();
    await addSteps(id, 256);
    expect((await errorOf(addSteps(id, 1))).message).toMatch(/Maximum number of active steps/);
    now = START + 60_000;
    await addSteps(id, 1);
  });

  test('that does not exist is an invalid request in every operation', async () => {
    const ClusterId = 'j-NONE';
    const errors = await Promise.all(
      [
        emr.send(new DescribeClusterCommand({ ClusterId })),
        emr.send(new DescribeStepCommand({ ClusterId, StepId: 's-1' })),
        emr.send(new ListStepsCommand({ ClusterId })),
        emr.send(new CancelStepsCommand({ ClusterId, StepIds: ['s-1'] })),
        emr.send(new TerminateJobFlowsCommand({ JobFlowIds: [ClusterId] })),
      ].map(errorOf),
    );
    for (const error of errors) {
      expect(error).toBeInstanceOf(InvalidRequestException);
      expect(error.message).toBe("Cluster id 'j-NONE' is not valid.");
      expect(error.$metadata.httpStatusCode).toBe(400);
    }
  });
});

describe('on demand', () => {
  test('an operation is throttled as AWS does it, and refills with the time', async () => {
    const throttling = await startEmrStandIn({ now: () => now, limits: AWS_LIMITS });
    const limited = client(throttling);
    const describe = () => limited.send(new DescribeClusterCommand({ ClusterId: 'j-NONE' }));
    const list = () => errorOf(limited.send(new ListStepsCommand({ ClusterId: 'j-NONE' })));

    const burst: EMRServiceException[] = [];
    for (let call = 0; call < 11; call += 1) burst.push(await list());
    expect(burst.map((error) => error.name)).toEqual([
      ...Array<string>(10).fill('InvalidRequestException'),
      'ThrottlingException',
    ]);
    expect(burst[10]).toMatchObject({ message: 'Rate exceeded', $metadata: { httpStatusCode: 400 } });
    expect((await errorOf(describe())).name).toBe('InvalidRequestException');

    now += 1_999;
    expect((await list()).name).toBe('ThrottlingException');
    now += 1;
    expect((await list()).name).toBe('InvalidRequestException');
    limited.destroy();
    await throttling.stop();
  });

  test('a limit is set and lifted by a script', async () => {
    const id = await cluster();
    const list = () => emr.send(new ListStepsCommand({ ClusterId: id }));
    await script({ limits: { ListSteps: { per_second: 0, burst: 1 } } });
    await list();
    expect((await errorOf(list())).name).toBe('ThrottlingException');
    await script({ limits: { ListSteps: null } });
    await list();
  });

  test('the next calls fail as a script says', async () => {
    const id = await cluster();
    const list = () => emr.send(new ListStepsCommand({ ClusterId: id }));
    await script({ faults: [{ operation: 'ListSteps', times: 2 }] });
    expect(await errorOf(list())).toBeInstanceOf(InternalServerException);
    expect((await errorOf(list())).$metadata.httpStatusCode).toBe(500);
    await list();
    await script({
      faults: [{ operation: 'ListSteps', type: 'AccessDeniedException', message: 'not you', status: 400 }],
    });
    expect(await errorOf(list())).toMatchObject({ name: 'AccessDeniedException', message: 'not you' });
  });

  test('a script that makes no sense is refused with the field named', async () => {
    const body = JSON.stringify({ limits: { ListSteps: { per_second: -1, burst: 1 } } });
    const answer = await fetch(`${standIn.url}/_standin/script`, { method: 'POST', body });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('limits.ListSteps.per_second');
  });

  test('calls are counted by operation', async () => {
    const id = await cluster();
    await script({ limits: { ListSteps: { per_second: 0, burst: 2 } } });
    await emr.send(new ListStepsCommand({ ClusterId: id }));
    await errorOf(emr.send(new ListStepsCommand({ ClusterId: 'j-NONE' })));
    await errorOf(emr.send(new ListStepsCommand({ ClusterId: id })));
    expect(await stats()).toEqual({
      RunJobFlow: { calls: 1, throttled: 0, failed: 0 },
      ListSteps: { calls: 3, throttled: 1, failed: 1 },
    });
  });
});

test('what is no call of the API is answered, not swallowed', async () => {
  expect((await fetch(standIn.url)).status).toBe(404);
  const headers = { 'x-amz-target': 'ElasticMapReduce.MakeCoffee' };
  const unknown = await fetch(standIn.url, { method: 'POST', headers, body: '{}' });
  expect(await unknown.json()).toMatchObject({ __type: 'UnknownOperationException' });
  const broken = await fetch(standIn.url, { method: 'POST', headers, body: '{' });
  expect(await broken.json()).toMatchObject({ __type: 'SerializationException' });
});
