import { SendTaskFailureCommand, SendTaskSuccessCommand, SFNClient } from '@aws-sdk/client-sfn';
import type { CallbackAnswer, Callbacks } from '../ports.ts';
import { onceMoreIfStale } from '../sensors/stale-connection.ts';
import { answerInTime } from './answer-in-time.ts';

/** Whoever had the token was told already, or waits no longer: nothing is left to be done. */
const OVER: ReadonlySet<string> = new Set(['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken']);

/**
 * @returns the executions that wait with a task token. Nothing is tried again here but what met a stale connection: the caller
 * has its own waits.
 */
export function stepFunctions(client = new SFNClient({ maxAttempts: 1, requestHandler: answerInTime() })): Callbacks {
  return {
    succeed: (taskToken, output) =>
      answerTo(() => client.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(output) }))),
    fail: (taskToken, error, cause) =>
      answerTo(() => client.send(new SendTaskFailureCommand({ taskToken, error, cause }))),
  };
}

async function answerTo(send: () => Promise<unknown>): Promise<CallbackAnswer> {
  try {
    await onceMoreIfStale(send);
    return 'told';
  } catch (error) {
    if (error instanceof Error && OVER.has(error.name)) return 'over';
    throw error;
  }
}
