/** Submitting: one task, or any number of them. An id is given before the first try, so that a repeat is the same submit. */
import * as z from 'zod/mini';
import { taskAnswer } from '../functions/api/schemas/answers.ts';
import { escapedBytes, MAX_BODY_BYTES } from '../functions/payload.ts';
import { read } from './answers.ts';
import type { Resolved } from './defaults.ts';
import { problemOf, SensoriumError, UnreadableAnswerError } from './errors.ts';
import type { Places } from './path.ts';
import { repeat } from './retry.ts';
import type { Attempt } from './retry.ts';
import type { Reply, Transport } from './transport.ts';
import type { NewTask } from './types/submit.ts';
import type { Task } from './types/task.ts';

/** What became of one of many submitted tasks. */
export type SubmitResult =
  | { readonly ok: true; readonly id: string; readonly task: Task }
  | { readonly ok: false; readonly id: string; readonly error: SensoriumError };

type Named = NewTask & { readonly id: string };

/** The service takes this many tasks in one call. */
const MAX_TASKS = 500;

/** Of the list around the tasks. */
const FRAME_BYTES = 64;

const resultsOf = z.looseObject({
  results: z.array(z.looseObject({ status: z.int(), task: z.optional(z.unknown()), problem: z.optional(z.unknown()) })),
});

/** What was asked, in errors. */
const WHAT = 'a submit';

export function createSubmit(options: Resolved, transport: Transport, places: Places) {
  const to = places.tasks();
  const named = (task: NewTask): Named => ({ ...task, id: task.id ?? options.newId() });
  return {
    async submit(task: NewTask): Promise<Task> {
      const { body } = await transport.call({ method: 'POST', path: to, body: named(task), repeatable: true });
      return read(taskAnswer, body, WHAT);
    },
    async submitMany(tasks: readonly NewTask[]): Promise<SubmitResult[]> {
      const results: SubmitResult[] = [];
      for (const part of cut(tasks.map(named))) results.push(...(await submitPart(options, transport, to, part)));
      return results;
    },
  };
}

/** @returns the tasks in calls' worths, in order. A task that is too long for any call stands alone. */
export function cut<Body extends object>(tasks: readonly Body[]): Body[][] {
  const parts: Body[][] = [];
  let bytes = 0;
  for (const task of tasks) {
    const own = escapedBytes(JSON.stringify(task)) + 1;
    const last = parts.at(-1);
    if (last === undefined || last.length >= MAX_TASKS || bytes + own > MAX_BODY_BYTES) {
      parts.push([task]);
      bytes = FRAME_BYTES + own;
    } else {
      last.push(task);
      bytes += own;
    }
  }
  return parts;
}

/** One call's worth. What the service was too busy for is submitted again, and only that. */
async function submitPart(
  options: Resolved,
  transport: Transport,
  to: string,
  tasks: readonly Named[],
): Promise<SubmitResult[]> {
  const results = new Map<number, SubmitResult>();
  const untold = new Map<number, Named>();
  let open = tasks.map((task, index) => ({ task, index }));
  const attempt = async (): Promise<Attempt<undefined>> => {
    const body = { tasks: open.map(({ task }) => task) };
    const outcome = await refusedTogether(transport.once({ method: 'POST', path: to, body, repeatable: true }));
    const answers = outcome.done
      ? outcome.value.body
      : outcome.error instanceof SensoriumError && outcome.error.problem;
    const parsed = resultsOf.safeParse(answers);
    if (!parsed.success || parsed.data.results.length !== open.length) {
      if (!outcome.done) return outcome;
      read(resultsOf, answers, WHAT);
      throw new Error(`${WHAT} was answered with another number of results than tasks`);
    }
    parsed.data.results.forEach((result, at) => {
      const entry = open[at];
      if (entry === undefined) return;
      if (isUntold(result)) untold.set(entry.index, entry.task);
      else results.set(entry.index, resultOf(entry.task.id, result));
    });
    open = open.filter(({ index }) => isBusy(results.get(index)));
    const [first] = open;
    const busy = first === undefined ? undefined : results.get(first.index);
    if (busy === undefined || busy.ok) return { done: true, value: undefined };
    return { ...(outcome.done ? {} : outcome), done: false, error: busy.error };
  };
  try {
    await repeat(options, attempt);
  } catch (error) {
    // No call takes it, which says nothing of the others.
    if (isTooLong(error) && tasks.length === 1) return tasks.map(({ id }) => ({ ok: false, id, error }));
    // What was answered stands, the busy ones with their problem; a part of which nothing is known rejects.
    if (results.size + untold.size < tasks.length) throw error;
  }
  if (untold.size === tasks.length) throw new UnreadableAnswerError(`the answer to ${WHAT} shows none of the tasks`);
  // Submitted again they are answered with what stands. Each answer holds one of them at least.
  const again = untold.size === 0 ? [] : await submitPart(options, transport, to, [...untold.values()]);
  [...untold.keys()].forEach((index, at) => {
    const result = again[at];
    if (result !== undefined) results.set(index, result);
  });
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}

/** A batch of which nothing was taken is a problem, with its results as a member. */
async function refusedTogether(sent: Promise<Attempt<Reply>>): Promise<Attempt<Reply>> {
  try {
    return await sent;
  } catch (error) {
    if (!(error instanceof SensoriumError) || !Object.hasOwn(error.problem, 'results')) throw error;
    return { done: true, value: { status: error.status, etag: undefined, body: error.problem } };
  }
}

type Result = z.infer<typeof resultsOf>['results'][number];

/** The task stands, but the answer had no room to show it. */
function isUntold({ status, task }: Result): boolean {
  return status === 201 && task === undefined;
}

function isTooLong(error: unknown): error is SensoriumError {
  return error instanceof SensoriumError && error.status === 413;
}

function resultOf(id: string, { status, task, problem }: Result): SubmitResult {
  if (task !== undefined) return { ok: true, id, task: read(taskAnswer, task, WHAT) };
  return { ok: false, id, error: new SensoriumError(problemOf(status, JSON.stringify(problem ?? {}))) };
}

/** 429: its queue is full; 503: the table did not keep up. */
function isBusy(result: SubmitResult | undefined): boolean {
  return result?.ok === false && (result.error.status === 503 || result.error.status === 429);
}
