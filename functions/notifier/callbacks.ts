/**
 * Task tokens: the Step Functions execution that waits for a task is told of its end (docs/adr/0014). At least once: the
 * record keeps its token, and who is told twice, or waits no longer, is no error.
 */
import { isTerminal } from '../core/task.ts';
import type { Task, TerminalState } from '../core/task.ts';
import type { CallbackAnswer, Callbacks } from '../ports.ts';
import { ERRORS } from '../step-functions.ts';
import type { StreamChange } from '../store/stream.ts';
import { detailOf } from './event.ts';
import type { StateChanged } from './event.ts';

/** One execution that is to be told. Only `detail` may be shown. */
export interface Callback {
  readonly token: string;
  readonly state: TerminalState;
  readonly detail: StateChanged;
  /** What the poke found that ended the wait. */
  readonly result?: unknown;
}

/** Step Functions takes 256 kB of output; what is longer is told without its result. */
const MAX_OUTPUT_BYTES = 256 * 1024;

/** Step Functions takes so many characters of a cause. */
const MAX_CAUSE = 32_768;

/** @returns whom a change of a task is to be told: its end, or a token that came after it. */
export function callbackOf({ before, after }: StreamChange): Callback | undefined {
  if (after?.callback_token === undefined || !isTerminal(after.state)) return undefined;
  const ended = before?.state !== after.state || before.try_number !== after.try_number;
  if (!ended && before.callback_token === after.callback_token) return undefined;
  const { callback_token: token, state, result } = after;
  const detail = detailOf(after, after.history.at(-1)?.from ?? 'none');
  return { token, state, detail, ...(result === undefined ? {} : { result }) };
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

function outputOf({ detail, result }: Callback): object {
  const whole = { ...detail, ...(result === undefined ? {} : { result }) };
  return Buffer.byteLength(JSON.stringify(whole)) > MAX_OUTPUT_BYTES ? detail : whole;
}

function causeOf({ reason, state }: Pick<Task, 'state'> & Pick<StateChanged, 'reason'>): string {
  return (reason ?? state).slice(0, MAX_CAUSE).toWellFormed();
}
