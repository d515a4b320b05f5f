import { keptConnections } from './connections.ts';

/** A call of the notifier is not worth more than this, ms: others wait behind it, and what is not answered is told later. */
export const ANSWER_MS = 3000;

/** @returns the `requestHandler` of a client that waits no longer: a call that is not answered is a `TimeoutError`. */
export function answerInTime() {
  return {
    ...keptConnections(),
    connectionTimeout: ANSWER_MS,
    requestTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    throwOnRequestTimeout: true,
  };
}
