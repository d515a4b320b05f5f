/** Which try a request means, and whether that try is still the current one. */
import { TRY_ID } from '../api/schemas/fields.ts';
import { invalid, notFound, problem, refuse } from '../api/problem.ts';
import type { Answer } from '../api/http.ts';
import type { Task } from '../core/task.ts';

/** The task that a path names, and the try, where the path or the body names one. */
export interface Addressed {
  readonly id: string;
  readonly try_number?: number;
}

/**
 * @param pathId `<task id>~<n>`, or a task's id
 * @param bodyTry the body's `try_number`
 * @returns what is meant, or the refusal: 404 if the path can name nothing, 422 if the body names another try
 */
export function addressOf(pathId: string, bodyTry: number | undefined): Addressed | { readonly refused: Answer } {
  const [, id, number] = TRY_ID.exec(pathId) ?? [];
  if (id === undefined) return { refused: noTry() };
  const pathTry = number === undefined ? undefined : Number(number);
  if (pathTry !== undefined && bodyTry !== undefined && pathTry !== bodyTry) {
    return { refused: refuse(invalid([{ field: 'try_number', detail: `must be ${pathTry}, as in the path` }])) };
  }
  const try_number = pathTry ?? bodyTry;
  return try_number === undefined ? { id } : { id, try_number };
}

/**
 * Judges the try that is meant against the one that is current.
 * @returns the refusal (404 for what there never was, 410 for a try that is over); undefined where it is the current one
 */
export function fence(task: Task | undefined, { try_number }: Addressed): Answer | undefined {
  if (task === undefined) return noTry();
  if (try_number === undefined || try_number === task.try_number) return undefined;
  if (try_number > task.try_number || try_number < 1) return noTry();
  const detail = `try ${try_number} is over: the task is at try ${task.try_number}`;
  return refuse(problem(410, detail, { reason: 'gone', try_number: task.try_number }));
}

/** @returns the answer where a path names no task, or no try of it. */
export function noTry(): Answer {
  return notFound('there is no task instance with this id');
}

/** @returns the answer to a request that the task's state does not allow. */
export function invalidState({ state }: Task, detail: string): Answer {
  return refuse(problem(409, detail, { reason: 'invalid_state', previous_state: state }));
}
