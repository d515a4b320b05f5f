import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from '@jest/globals';
import { SFNClient } from '@aws-sdk/client-sfn';
import { stepFunctions } from '../../functions/runtime/callbacks.ts';

/** The real client over a scripted wire. */
const sent: unknown[] = [];
let refusal: string | undefined;

const client = new SFNClient({
  region: 'us-east-1',
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  maxAttempts: 1,
  requestHandler: {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: { readonly headers: Record<string, string>; readonly body: Uint8Array }) {
      sent.push([request.headers['x-amz-target'], JSON.parse(new TextDecoder().decode(request.body))]);
      const body = refusal === undefined ? '{}' : JSON.stringify({ __type: refusal, message: 'so it is' });
      const statusCode = refusal === undefined ? 200 : 400;
      return { response: { statusCode, headers: {}, body: Readable.from([Buffer.from(body)]) } };
    },
  },
});

afterAll(() => client.destroy());

const callbacks = stepFunctions(client);

describe('Step Functions', () => {
  test('is told of a success and of a failure', async () => {
    refusal = undefined;
    expect(await callbacks.succeed('t-1', { state: 'success' })).toBe('told');
    expect(await callbacks.fail('t-2', 'Sensorium.Failed', 'timeout')).toBe('told');
    expect(sent).toEqual([
      ['AWSStepFunctions.SendTaskSuccess', { taskToken: 't-1', output: '{"state":"success"}' }],
      ['AWSStepFunctions.SendTaskFailure', { taskToken: 't-2', error: 'Sensorium.Failed', cause: 'timeout' }],
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
