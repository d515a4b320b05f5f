import { describe, expect, test } from '@jest/globals';
import { awsError, fakeSender, faultsOf, poke, specOf } from './fakes.ts';

const JOB_FLOW = { type: 'emr_job_flow', job_flow_id: 'j-1' };
const cluster = (State: string, more: object = {}): object => ({ Cluster: { Id: 'j-1', Status: { State, ...more } } });

describe('emr_job_flow', () => {
  test('defaults', () => {
    expect(specOf(JOB_FLOW)).toEqual({
      ...JOB_FLOW,
      target_states: ['TERMINATED'],
      failed_states: ['TERMINATED_WITH_ERRORS'],
    });
  });

  test.each([
    [{ ...JOB_FLOW, target_states: ['COMPLETED'] }, /^target_states\[0\]: must be one of .*"WAITING"/],
    [{ ...JOB_FLOW, step_id: 's-1' }, /^step_id: is not a known field$/],
    [{ type: 'emr_job_flow' }, /^job_flow_id: is required$/],
  ])('%j is refused', (input, fault) => {
    expect(faultsOf(input)).toEqual([expect.stringMatching(fault)]);
  });

  test.each([
    ['RUNNING', {}, { kind: 'not_met', state: 'RUNNING' }],
    ['TERMINATED', {}, { kind: 'met' }],
    ['TERMINATED_WITH_ERRORS', {}, { kind: 'failed', reason: 'cluster j-1 ended in TERMINATED_WITH_ERRORS' }],
    // Case 93: a cluster that stays alive can be waited for.
    ['WAITING', {}, { kind: 'not_met', state: 'WAITING' }],
    ['WAITING', { target_states: ['WAITING'] }, { kind: 'met' }],
    ['TERMINATED', { target_states: ['WAITING'] }, { kind: 'failed', reason: 'cluster j-1 ended in TERMINATED' }],
  ])('%s with %j', async (state, context, expected) => {
    const emr = fakeSender({ DescribeCluster: cluster(state) });
    expect(await poke({ emr }, { ...JOB_FLOW, ...context })).toEqual(expected);
    expect(emr.sent).toEqual([{ command: 'DescribeCluster', input: { ClusterId: 'j-1' } }]);
  });

  test('what explains a failure and cannot be read does not hide it', async () => {
    const more = { StateChangeReason: { Code: 7, Message: 'so it is' }, ErrorDetails: 'none', FailureDetails: null };
    const emr = fakeSender({ DescribeCluster: cluster('TERMINATED_WITH_ERRORS', more) });
    const reason = 'cluster j-1 ended in TERMINATED_WITH_ERRORS: so it is';
    expect(await poke({ emr }, JOB_FLOW)).toEqual({ kind: 'failed', reason });
  });

  test('N015: a failure keeps code, message and details, each once', async () => {
    const more = {
      StateChangeReason: { Code: 'INTERNAL_ERROR', Message: null },
      ErrorDetails: [
        { ErrorCode: 'PROVISIONING', ErrorMessage: 'no capacity', ErrorData: [{ 'instance-id': 'i-1' }] },
        { ErrorCode: 'PROVISIONING', ErrorMessage: 'no address left' },
      ],
    };
    const emr = fakeSender({ DescribeCluster: cluster('TERMINATED_WITH_ERRORS', more) });
    expect(await poke({ emr }, JOB_FLOW)).toEqual({
      kind: 'failed',
      reason: 'cluster j-1 ended in TERMINATED_WITH_ERRORS: INTERNAL_ERROR: PROVISIONING: no capacity: no address left',
    });
  });

  test('a failure tells why the state changed', async () => {
    const change = { StateChangeReason: { Code: 'BOOTSTRAP_FAILURE', Message: 'bootstrap action 1 failed' } };
    const emr = fakeSender({ DescribeCluster: cluster('TERMINATED_WITH_ERRORS', change) });
    expect(await poke({ emr }, JOB_FLOW)).toEqual({
      kind: 'failed',
      reason: 'cluster j-1 ended in TERMINATED_WITH_ERRORS: BOOTSTRAP_FAILURE: bootstrap action 1 failed',
    });
  });

  test.each([
    [{}, 'answer misses Cluster'],
    [{ Cluster: {} }, 'answer misses Cluster.Status'],
    [{ Cluster: { Status: {} } }, 'answer misses Status.State'],
  ])('the answer %j is unknown', async (answer, reason) => {
    const observation = await poke({ emr: fakeSender({ DescribeCluster: answer }) }, JOB_FLOW);
    expect(observation).toEqual({ kind: 'unknown', reason: expect.stringContaining(reason) });
  });

  test('an unknown cluster is an error', async () => {
    const error = awsError('InvalidRequestException', 400, { message: "Cluster id 'j-1' is not valid." });
    const observation = await poke({ emr: fakeSender({ DescribeCluster: error }) }, JOB_FLOW);
    expect(observation).toEqual({ kind: 'error', reason: expect.stringContaining("Cluster id 'j-1' is not valid.") });
  });
});
