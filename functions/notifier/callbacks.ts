/**
 * Task tokens: the Step Functions execution that waits for a task is told of its end (docs/adr/0014). At least once: the
 * record keeps its token, and who is told twice, or waits no longer, is no error.
 */
import { isTerminal } from '../core/task.ts';
import type { TerminalState } from '../core/task.ts';
import type { Fact } from '../core/untold.ts';
import type { CallbackAnswer, Callbacks } from '../ports.ts';
import { ERRORS } from '../step-functions.ts';
import type { StreamChange } from '../store/stream.ts';
import { detailOf, isRestored } from './event.ts';

/** One execution that is to be told. Only `detail` may be shown. */
export interface Callback {
  readonly token: string;
  readonly state: TerminalState;
  readonly detail: Fact;
  /** What the poke found that ended the wait, unless Step Functions would not take it. */
  readonly result?: unknown;
}

/** Step Functions takes 256 kB of output; what is longer is told without its result. */
const MAX_OUTPUT_BYTES = 256 * 1024;

/** Step Functions takes so many characters of a cause. */
const MAX_CAUSE = 32_768;

/** @returns who is to be told of a change of a task: all that wait, of its end; who came after it, of that. */
export function callbacksOf(change: StreamChange): readonly Callback[] {
  const { before, after } = change;
  if (after?.callback_tokens === undefined || !isTerminal(after.state) || isRestored(change)) return [];
  const { callback_tokens, state, result } = after;
  const ended = before?.state !== state || before.try_number !== after.try_number;
  const knew = ended ? [] : (before.callback_tokens ?? []);
  const detail = detailOf(after, after.history.at(-1)?.from ?? 'none');
  const told = { state, detail, ...(isTooLong(outputOf({ detail, result })) ? {} : { result }) };
  return callback_tokens.filter((token) => !knew.includes(token)).map((token) => ({ token, ...told }));
}

/** Tells one execution. @returns whether it still waited. Rejects when Step Functions did not take it. */
export async function tell(callbacks: Callbacks, callback: Callback): Promise<CallbackAnswer> {
  const { token, state, detail } = callback;
  // As in Airflow, a skip is no failure: what waits goes on, and can look at the state.
  switch (state) {
    case 'success':
    case 'skipped':
      return callbacks.succeed(token, outputOf(callback));
    case 'failed':
      return callbacks.fail(token, ERRORS.failed, causeOf(detail));
    case 'removed':
      return callbacks.fail(token, ERRORS.removed, causeOf(detail));
  }
}

function outputOf({ detail, result }: Pick<Callback, 'detail' | 'result'>): object {
  return { ...detail, ...(result === undefined ? {} : { result }) };
}

function isTooLong(output: object): boolean {
  return Buffer.byteLength(JSON.stringify(output)) > MAX_OUTPUT_BYTES;
}

function causeOf({ reason, state }: Fact): string {
  return (reason ?? state).slice(0, MAX_CAUSE).toWellFormed();
}
