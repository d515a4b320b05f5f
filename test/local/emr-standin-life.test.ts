import {
  CancelStepsCommand,
  DescribeClusterCommand,
  DescribeStepCommand,
  InvalidRequestException,
  ListStepsCommand,
  TerminateJobFlowsCommand,
} from '@aws-sdk/client-emr';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EmrBench, errorOf, START } from './emr-bench.ts';

let bench: EmrBench;

beforeEach(async () => {
  bench = await EmrBench.start();
});

afterEach(async () => {
  await bench.stop();
});

describe('a step', () => {
  test('takes its time and ends as its arguments say', async () => {
    const id = await bench.cluster();
    const [step] = await bench.addSteps(id, 1, '--standin-pending=2', '--standin-running=30');

    expect(await bench.status(id, step)).toMatchObject({ State: 'PENDING' });
    bench.now = START + 2_000;
    expect(await bench.status(id, step)).toMatchObject({ State: 'RUNNING' });
    bench.now = START + 31_999;
    expect(await bench.status(id, step)).toMatchObject({ State: 'RUNNING' });
    bench.now = START + 32_000;
    expect(await bench.status(id, step)).toMatchObject({
      State: 'COMPLETED',
      Timeline: {
        CreationDateTime: new Date(START),
        StartDateTime: new Date(START + 2_000),
        EndDateTime: new Date(START + 32_000),
      },
    });
  });

  test('that fails says why', async () => {
    const id = await bench.cluster();
    const [step] = await bench.addSteps(
      id,
      1,
      '--standin-outcome=FAILED',
      '--standin-reason=Unknown Error.',
      '--standin-message=Exit code 137',
      '--standin-log-file=s3://logs/stderr.gz',
    );
    bench.now = START + 60_000;
    expect(await bench.status(id, step)).toMatchObject({
      State: 'FAILED',
      FailureDetails: { Reason: 'Unknown Error.', Message: 'Exit code 137', LogFile: 's3://logs/stderr.gz' },
    });
  });

  test('ends at once when a script says so, and then for good', async () => {
    const id = await bench.cluster();
    const [step] = await bench.addSteps(id, 1);
    const end = { cluster_id: id, step_id: step, state: 'FAILED', failure: { Reason: 'Out of memory' } };
    await bench.script({ steps: [end] });
    expect(await bench.status(id, step)).toMatchObject({
      State: 'FAILED',
      FailureDetails: { Reason: 'Out of memory' },
    });
    await bench.script({ steps: [{ ...end, state: 'COMPLETED' }] });
    expect(await bench.status(id, step)).toMatchObject({ State: 'FAILED' });
  });

  test('is cancelled while it is active, not after its end', async () => {
    const id = await bench.cluster();
    const [done] = await bench.addSteps(id, 1, '--standin-running=1');
    bench.now = START + 10_000;
    const [active] = await bench.addSteps(id, 1);
    const { CancelStepsInfoList } = await bench.emr.send(
      new CancelStepsCommand({ ClusterId: id, StepIds: [done!, active!] }),
    );
    expect(CancelStepsInfoList).toMatchObject([{ Status: 'FAILED' }, { StepId: active, Status: 'SUBMITTED' }]);
    expect(await bench.status(id, active)).toMatchObject({ State: 'CANCELLED' });
    expect(await bench.status(id, done)).toMatchObject({ State: 'COMPLETED' });
  });

  test('whose arguments make no sense is refused, and the others of its call with it', async () => {
    const id = await bench.cluster();
    const error = await errorOf(bench.addSteps(id, 2, '--standin-running=soon'));
    expect(error).toMatchObject({ name: 'ValidationException', message: '"soon" is no number of seconds' });
    expect((await bench.emr.send(new ListStepsCommand({ ClusterId: id }))).Steps).toEqual([]);
  });
});

describe('a cluster', () => {
  test('starts, waits and is terminated together with its steps', async () => {
    const id = await bench.cluster();
    const state = async () => (await bench.emr.send(new DescribeClusterCommand({ ClusterId: id }))).Cluster!.Status;
    expect(await state()).toMatchObject({ State: 'STARTING' });
    bench.now = START + 1_000;
    expect(await state()).toMatchObject({ State: 'WAITING' });
    const [step] = await bench.addSteps(id, 1);
    expect(await state()).toMatchObject({ State: 'RUNNING' });

    await bench.emr.send(new TerminateJobFlowsCommand({ JobFlowIds: [id] }));
    expect(await state()).toMatchObject({
      State: 'TERMINATED',
      StateChangeReason: { Code: 'USER_REQUEST' },
      Timeline: { EndDateTime: new Date(bench.now) },
    });
    expect(await bench.status(id, step)).toMatchObject({ State: 'CANCELLED' });
    expect((await errorOf(bench.addSteps(id, 1))).message).toMatch(/terminated, or finished may not be modified/);
  });

  test('that is not kept alive ends with its last step', async () => {
    const id = await bench.cluster(false);
    await bench.addSteps(id, 1, '--standin-running=1');
    bench.now = START + 10_000;
    const { Cluster } = await bench.emr.send(new DescribeClusterCommand({ ClusterId: id }));
    expect(Cluster!.Status).toMatchObject({
      State: 'TERMINATED',
      StateChangeReason: { Code: 'ALL_STEPS_COMPLETED' },
      Timeline: { EndDateTime: new Date(START + 2_000) },
    });
  });

  test('holds 256 active steps', async () => {
    const id = await bench.cluster();
    await bench.addSteps(id, 256);
    expect((await errorOf(bench.addSteps(id, 1))).message).toMatch(/Maximum number of active steps/);
    bench.now = START + 60_000;
    await bench.addSteps(id, 1);
  });

  test('that does not exist is an invalid request in every operation', async () => {
    const ClusterId = 'j-NONE';
    const errors = await Promise.all(
      [
        bench.emr.send(new DescribeClusterCommand({ ClusterId })),
        bench.emr.send(new DescribeStepCommand({ ClusterId, StepId: 's-1' })),
        bench.emr.send(new ListStepsCommand({ ClusterId })),
        bench.emr.send(new CancelStepsCommand({ ClusterId, StepIds: ['s-1'] })),
        bench.emr.send(new TerminateJobFlowsCommand({ JobFlowIds: [ClusterId] })),
      ].map(errorOf),
    );
    for (const error of errors) {
      expect(error).toBeInstanceOf(InvalidRequestException);
      expect(error.message).toBe("Cluster id 'j-NONE' is not valid.");
      expect(error.$metadata.httpStatusCode).toBe(400);
    }
  });
});
