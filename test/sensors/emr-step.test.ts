import { describe, expect, test } from '@jest/globals';
import { identify } from '../../functions/core/identity.ts';
import { sensorCatalog } from '../../functions/sensors/registry.ts';
import { emrWith, step } from './emr-fakes.ts';
import { fakeSender, faultsOf, poke, specOf } from './fakes.ts';

describe('poke context', () => {
  test('defaults', () => {
    expect(specOf(step('s-1'))).toEqual({
      type: 'emr_step',
      job_flow_id: 'j-1',
      step_id: 's-1',
      target_states: ['COMPLETED'],
      failed_states: ['CANCELLED', 'FAILED', 'INTERRUPTED'],
    });
  });

  test('states are sets: sorted, each once, and a target is no failure', () => {
    const spec = specOf(step('s-1', { target_states: ['RUNNING', 'FAILED', 'RUNNING'] }));
    expect(spec).toMatchObject({ target_states: ['FAILED', 'RUNNING'], failed_states: ['CANCELLED', 'INTERRUPTED'] });
    const given = specOf(
      step('s-1', { target_states: ['FAILED', 'RUNNING'], failed_states: ['INTERRUPTED', 'CANCELLED'] }),
    );
    expect(identify(given)).toEqual(identify(spec));
  });

  test.each([
    [step(''), /^step_id: must be 1 to 256/],
    [step('s 1'), /^step_id: must be/],
    [{ type: 'emr_step', step_id: 's-1' }, /^job_flow_id: is required$/],
    [step('s-1', { job_flow_id: 7 }), /^job_flow_id: must be a string$/],
    [step('s-1', { target_states: ['completed'] }), /^target_states\[0\]: must be one of .*"COMPLETED"/],
    [step('s-1', { target_states: [] }), /^target_states: must have at least 1/],
    [step('s-1', { failed_states: 'FAILED' }), /^failed_states: must be a list$/],
    [step('s-1', { cluster: 'x' }), /^cluster: is not a known field$/],
  ])('%j is refused', (input, fault) => {
    expect(faultsOf(input)).toEqual([expect.stringMatching(fault)]);
  });

  test('steps of one cluster share a batch', () => {
    expect(sensorCatalog.batchKeyOf(specOf(step('s-1')))).toBe(sensorCatalog.batchKeyOf(specOf(step('s-2'))));
  });
});

describe('the states', () => {
  test.each([
    ['PENDING', {}, { kind: 'not_met', state: 'PENDING' }],
    ['RUNNING', {}, { kind: 'not_met', state: 'RUNNING' }],
    ['COMPLETED', {}, { kind: 'met' }],
    ['RUNNING', { target_states: ['RUNNING'] }, { kind: 'met' }],
    ['FAILED', {}, { kind: 'failed', reason: 'step s-1 ended in FAILED' }],
    ['COMPLETED', { target_states: ['CANCELLED'] }, { kind: 'failed', reason: 'step s-1 ended in COMPLETED' }],
    ['FAILED', { failed_states: [] }, { kind: 'failed', reason: 'step s-1 ended in FAILED' }],
    ['RUNNING', { failed_states: ['RUNNING'] }, { kind: 'failed', reason: 'step s-1 ended in RUNNING' }],
    ['A_NEW_STATE', {}, { kind: 'not_met', state: 'A_NEW_STATE' }],
  ])('%s with %j', async (state, context, expected) => {
    expect(await poke({ emr: emrWith({ 's-1': state }) }, step('s-1', context))).toEqual(expected);
  });

  test('a failure tells Reason, Message, log file and the reason of the change (case 97)', async () => {
    const details = {
      FailureDetails: { Reason: 'Main class not found', Message: 'step failed', LogFile: 's3://logs/j-1/' },
      StateChangeReason: { Message: 'help' },
    };
    const observation = await poke({ emr: emrWith({ 's-1': 'FAILED' }, details) }, step('s-1'));
    expect(observation).toEqual({
      kind: 'failed',
      reason: 'step s-1 ended in FAILED: Main class not found: step failed: log file s3://logs/j-1/: help',
    });
  });

  test('a stack trace is cut to what fits into a record', async () => {
    const emr = emrWith({ 's-1': 'FAILED' }, { FailureDetails: { Message: 'x'.repeat(50_000) } });
    const observation = await poke({ emr }, step('s-1'));
    expect(observation.kind === 'failed' && observation.reason.length).toBe(2000);
  });

  test.each([
    ['SOMETHING_NEW', { kind: 'not_met', state: 'SOMETHING_NEW' }],
    [null, { kind: 'unknown' }],
    [undefined, { kind: 'unknown' }],
  ])('N014: the state %s is no success', async (State, expected) => {
    const emr = fakeSender({ ListSteps: { Steps: [{ Id: 's-1', Status: { State } }] } });
    expect(await poke({ emr }, step('s-1'))).toMatchObject(expected);
  });
});
