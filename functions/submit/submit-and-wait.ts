/**
 * What a Step Functions state that waits for a task invokes: submits the task as the API does, with the state's token, and
 * leaves the rest to the notifier. A task that is not taken ends the wait at once (docs/adr/0014).
 */
import * as z from 'zod/mini';
import type { ApiDeps } from '../api/deps.ts';
import { BUSY, invalid, problem } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { queueName } from '../api/schemas/fields.ts';
import { prepare } from '../api/submission.ts';
import { submit } from '../api/submit.ts';
import type { Outcome } from '../api/submit.ts';
import { withinQueue } from '../api/within-queue.ts';
import type { Callbacks, Log } from '../ports.ts';
import { ERRORS } from '../step-functions.ts';
import type { WaitContext, WaitEvent } from '../step-functions.ts';
import { TableError } from '../store/table.ts';
import { validate } from '../validation.ts';
import { taskIdOf } from './task-id.ts';

export interface SubmitAndWaitDeps extends Pick<
  ApiDeps,
  'store' | 'clock' | 'newId' | 'settings' | 'opened' | 'allowCancel'
> {
  readonly callbacks: Callbacks;
  readonly log: Log;
}

/** What the state is answered; it goes on waiting whatever this is. */
export type SubmitAnswer = { readonly id: string } | { readonly refused: string };

const text = z.string().check(z.minLength(1));

const waitEvent = z.strictObject({
  task: z.unknown(),
  queue: z.exactOptional(queueName),
  task_token: text,
  context: z.strictObject({
    execution: text,
    redrive: z.exactOptional(z.number()),
    state: z.exactOptional(text),
    entered_at: z.exactOptional(text),
    item: z.exactOptional(z.number()),
  } satisfies Record<keyof WaitContext, unknown>),
} satisfies Record<keyof WaitEvent, unknown>);

/** A cause that is longer than this helps nobody. */
const MAX_CAUSE = 4000;

/**
 * @returns the function. It rejects on an event that no state of ours sends, on a defect, and where Step Functions could
 * not be told of a refusal; the state fails then by its name: `Sensorium.Refused`, `Sensorium.Busy`.
 */
export function createSubmitAndWait(deps: SubmitAndWaitDeps): (event: unknown) => Promise<SubmitAnswer> {
  return async (input) => {
    const event = validate(waitEvent, input);
    if (!event.ok) throw new NotSubmitted(ERRORS.refused, causeOf(invalid(event.faults)));
    const { task_token, context } = event.value;
    const outcome = await submitFor(deps, event.value);
    if (outcome.ok) return { id: outcome.task.id };
    const error = outcome.problem.status === BUSY.status ? ERRORS.busy : ERRORS.refused;
    const cause = causeOf(outcome.problem);
    deps.log({ message: 'not submitted', execution: context.execution, error, cause });
    try {
      // The token's own answer and no thrown error: a user's mistake is none of the function, and the cause stays readable.
      await deps.callbacks.fail(task_token, error, cause);
    } catch (why) {
      throw new NotSubmitted(error, cause, { cause: why });
    }
    return { refused: cause };
  };
}

async function submitFor(deps: SubmitAndWaitDeps, event: WaitEvent): Promise<Outcome> {
  const { task_token, context } = event;
  const own = withinQueue(event, event.task);
  if (!own.ok) return own;
  const body = withToken(own.value, task_token, context);
  if (body === undefined) {
    return { ok: false, problem: problem(422, 'callback is the token of the state that waits', { field: 'callback' }) };
  }
  const now = deps.clock.now();
  const prepared = prepare(deps, body, now, `execution:${context.execution}`);
  try {
    const [outcome] = await submit(deps.store, [prepared], now);
    if (outcome === undefined) throw new Error('no outcome of a submit');
    return outcome;
  } catch (error) {
    if (error instanceof TableError) return { ok: false, problem: BUSY };
    throw error;
  }
}

/** @returns the body to submit, whatever is wrong with it; undefined if it says itself whom to tell. */
function withToken(task: unknown, task_token: string, context: WaitContext): unknown {
  if (typeof task !== 'object' || task === null || Array.isArray(task)) return task;
  return 'callback' in task ? undefined : { id: taskIdOf(context), ...task, callback: { task_token } };
}

/** @returns all that is wrong, each with its field, as a sentence. */
function causeOf({ field, detail, errors }: Problem): string {
  const named = field === undefined || detail.startsWith(field) ? detail : `${field}: ${detail}`;
  const all = errors === undefined ? named : errors.map((fault) => `${fault.field} ${fault.detail}`).join('; ');
  return all
    .replace(/^body /, 'task ')
    .slice(0, MAX_CAUSE)
    .toWellFormed();
}

/** The task was not submitted. Its name is what a state machine's Retry and Catch go by. */
class NotSubmitted extends Error {
  override readonly name: string;
  constructor(name: string, cause: string, options?: ErrorOptions) {
    super(cause, options);
    this.name = name;
  }
}
