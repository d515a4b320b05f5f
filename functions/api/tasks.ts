/** Reading one task: as it is, and whether it is ready. */
import { isTerminal } from '../core/task.ts';
import type { Task } from '../core/task.ts';
import type { Store } from '../store/store.ts';
import type { Answer, Handler, Request } from './http.ts';
import { etag, present } from './present.ts';
import { notFound, problem, refuse } from './problem.ts';
import { TASK_ID } from './schemas/fields.ts';
import { reaches } from './within-queue.ts';

/** @returns the task of that id; undefined if there is none, nor could be, nor is one that the request may know of. */
export async function findTask(store: Store, request: Pick<Request, 'id' | 'queue'>): Promise<Task | undefined> {
  const task = TASK_ID.test(request.id) ? await store.task(request.id) : undefined;
  return task !== undefined && reaches(request, task) ? task : undefined;
}

/** @returns the answer where a path names no task. */
export function noTask(): Answer {
  return notFound('there is no task with this id');
}

/** @returns the answer that shows a task. */
export function taskAnswer(task: Task, status = 200): Answer {
  return { status, body: present(task), headers: { ETag: etag(task) } };
}

/** `GET /v1/tasks/{id}`: 200 with an ETag, 304 where the client has this version. */
export function createGet({ store }: { readonly store: Store }): Handler {
  return async (request) => {
    const task = await findTask(store, request);
    if (task === undefined) return noTask();
    if (hasVersion(request.header('If-None-Match'), etag(task))) return { status: 304, headers: { ETag: etag(task) } };
    return taskAnswer(task);
  };
}

/** Weak comparison, as RFC 9110 asks for If-None-Match. */
function hasVersion(ifNoneMatch: string | undefined, tag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((text) => text.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}

/** `GET /v1/tasks/{id}/ready`: 404 until the task has ended, then 200 with its end, whatever that is; for stock HTTP sensors. */
export function createReady({ store }: { readonly store: Store }): Handler {
  return async (request) => {
    const task = await findTask(store, request);
    if (task === undefined) return noTask();
    const { id, state, reason, result } = task;
    if (!isTerminal(state)) return refuse(problem(404, 'the task has not ended yet', { id, state }));
    return { status: 200, body: { id, state, reason, result } };
  };
}
