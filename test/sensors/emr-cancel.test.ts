import { describe, expect, test } from '@jest/globals';
import type { SensorSpec } from '../../functions/core/task.ts';
import { awsCalls } from '../../functions/sensors/aws-calls.ts';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import { createSensors, sensorCatalog } from '../../functions/sensors/registry.ts';
import { awsError, fakeIo, fakeSender, THROTTLED } from './fakes.ts';

const STEP = {
  type: 'emr_step',
  job_flow_id: 'j-1',
  step_id: 's-1',
  target_states: ['COMPLETED'],
  failed_states: ['FAILED'],
};
const CLUSTER = { type: 'emr_job_flow', job_flow_id: 'j-1', target_states: ['TERMINATED'], failed_states: [] };

async function cancel(spec: SensorSpec, script: Parameters<typeof fakeSender>[0], again = false) {
  const emr = fakeSender(script);
  const io = fakeIo();
  const answer = await createSensors(awsCalls({ s3: fakeSender({}), emr }), ALL_OPEN).cancel('q', spec, again, io);
  return { answer, sent: emr.sent, operations: io.operations };
}

describe('ending what is watched', () => {
  test('a step is cancelled by one call', async () => {
    const { answer, sent, operations } = await cancel(STEP, {
      CancelSteps: { CancelStepsInfoList: [{ StepId: 's-1', Status: 'SUBMITTED' }] },
    });
    expect(answer).toEqual({ kind: 'cancelled' });
    expect(sent).toEqual([{ command: 'CancelSteps', input: { ClusterId: 'j-1', StepIds: ['s-1'] } }]);
    expect(operations).toEqual(['emr:CancelSteps']);
  });

  test('a cluster is terminated by one call', async () => {
    const { answer, sent } = await cancel(CLUSTER, { TerminateJobFlows: {} });
    expect(answer).toEqual({ kind: 'cancelled' });
    expect(sent).toEqual([{ command: 'TerminateJobFlows', input: { JobFlowIds: ['j-1'] } }]);
  });

  test('outside work is ended by what it watches', async () => {
    const { sent } = await cancel({ type: 'external', watches: STEP }, { CancelSteps: {} });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['CANCEL_PENDING', STEP, { DescribeStep: { Step: { Status: { State: 'CANCEL_PENDING' } } } }],
    ['COMPLETED', STEP, { DescribeStep: { Step: { Status: { State: 'COMPLETED' } } } }],
    ['TERMINATING', CLUSTER, { DescribeCluster: { Cluster: { Status: { State: 'TERMINATING' } } } }],
  ])('what is %s already is asked for no second time', async (state, spec, script) => {
    const { answer, sent } = await cancel(spec, script, true);
    expect(answer).toMatchObject({ kind: 'cancelled', detail: expect.stringContaining(state) });
    expect(sent.map(({ command }) => command)).toEqual(Object.keys(script));
  });

  test('what still runs after a call without an answer is asked for again', async () => {
    const script = { DescribeStep: { Step: { Status: { State: 'RUNNING' } } }, CancelSteps: {} };
    expect((await cancel(STEP, script, true)).sent.map(({ command }) => command)).toEqual([
      'DescribeStep',
      'CancelSteps',
    ]);
  });

  test.each([
    [
      'a step that has ended',
      { CancelStepsInfoList: [{ Status: 'FAILED', Reason: 'Too late.' }] },
      'refused',
      'Too late.',
    ],
    ['a role that may not', awsError('AccessDeniedException', 400), 'refused', 'elasticmapreduce:CancelSteps'],
    ['a cluster that is gone', awsError('InvalidRequestException', 400), 'refused', 'InvalidRequestException'],
    ['a throttled call', THROTTLED, 'unknown', 'throttled'],
    ['an EMR that is down', awsError('InternalServerError', 500), 'unknown', 'InternalServerError'],
  ])('%s', async (_, reply, kind, reason) => {
    const { answer } = await cancel(STEP, { CancelSteps: reply });
    expect(answer).toMatchObject({ kind, reason: expect.stringContaining(reason) });
  });

  test.each([
    [STEP, true],
    [CLUSTER, true],
    [{ type: 'external', watches: STEP }, true],
    [{ type: 'external' }, false],
    [{ type: 's3_key', bucket: 'b', key: ['k'], wildcard_match: false }, false],
    [{ type: 'datetime', at: '2030-01-01T00:00:00.000Z' }, false],
  ])('%j can be ended: %s', async (spec, can) => {
    expect(sensorCatalog.cancels(spec)).toBe(can);
    const { answer } = await cancel(spec, { CancelSteps: {}, TerminateJobFlows: {} });
    expect(answer).toEqual(can ? { kind: 'cancelled' } : undefined);
  });
});
