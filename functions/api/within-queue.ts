/** The one place that holds a request to the queue that its path (or the definition of a state machine) names. */
import type { Task } from '../core/task.ts';
import type { Read } from './body.ts';
import { invalid } from './problem.ts';

/** The queue that a request is held to; undefined: every queue is open to it. */
export interface Within {
  readonly queue?: string | undefined;
}

/** @returns whether the request may know of the task at all. */
export function reaches({ queue }: Within, task: Pick<Task, 'queue'>): boolean {
  return queue === undefined || task.queue === queue;
}

/**
 * Holds what was sent to the queue.
 * @param sent a task's body, or the query of a listing; not validated yet
 * @returns the same, with the queue where it names none; 422 where it names another one
 */
export function withinQueue({ queue }: Within, sent: unknown): Read<unknown> {
  if (queue === undefined || typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return { ok: true, value: sent };
  }
  if (!Object.hasOwn(sent, 'queue')) return { ok: true, value: { ...sent, queue } };
  if ('queue' in sent && sent.queue === queue) return { ok: true, value: sent };
  const detail = `must be ${queue}, the only queue that is reached this way`;
  return { ok: false, problem: invalid([{ field: 'queue', detail }]) };
}
