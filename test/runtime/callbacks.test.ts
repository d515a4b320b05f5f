import { afterAll, describe, expect, test } from '@jest/globals';
import { stepFunctions } from '../../functions/runtime/callbacks.ts';
import { scriptedSfn } from './scripted-sfn.ts';

let refusal: string | undefined;

const { client, sent } = scriptedSfn(() => refusal ?? {});

afterAll(() => client.destroy());

const callbacks = stepFunctions(client);

describe('Step Functions', () => {
  test('is told of a success and of a failure', async () => {
    refusal = undefined;
    expect(await callbacks.succeed('t-1', { state: 'success' })).toBe('told');
    expect(await callbacks.fail('t-2', 'Sensorium.Failed', 'timeout')).toBe('told');
    expect(sent).toEqual([
      ['SendTaskSuccess', { taskToken: 't-1', output: '{"state":"success"}' }],
      ['SendTaskFailure', { taskToken: 't-2', error: 'Sensorium.Failed', cause: 'timeout' }],
    ]);
  });

  test.each(['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken'])('case 45: %s is no error', async (name) => {
    refusal = name;
    expect(await callbacks.succeed('t', {})).toBe('over');
    expect(await callbacks.fail('t', 'e', 'c')).toBe('over');
  });

  test.each(['ThrottlingException', 'AccessDeniedException', 'InvalidOutput'])('%s is one', async (name) => {
    refusal = name;
    await expect(callbacks.succeed('t', {})).rejects.toMatchObject({ name });
  });
});
