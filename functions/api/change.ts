/** What users do to a task: clear, mark, remove. Each is one conditional transition; a user's word wins over any poke. */
import { transition } from '../core/states.ts';
import type { TaskEvent } from '../core/states.ts';
import type { Clock, Log } from '../ports.ts';
import type { Store } from '../store/store.ts';
import { TableError } from '../store/table.ts';
import { readBody } from './body.ts';
import { changeTask } from './change-task.ts';
import type { Changed } from './change-task.ts';
import type { ApiDeps } from './deps.ts';
import type { Answer, Handler, Request } from './http.ts';
import { busy, refuse } from './problem.ts';
import { emptyBody, markBody } from './schemas/change.ts';
import { closedProblem } from './submission.ts';
import { joinTarget, waitsOnTarget, wakeQueues } from './targets.ts';
import { findTask, noTask, taskAnswer } from './tasks.ts';

interface ChangeDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** `POST /v1/tasks/{id}/clear`: as after submit, in a new try, if what it reads is still opened. */
export function createClear({ store, clock, opened }: ChangeDeps & Pick<ApiDeps, 'opened'>): Handler {
  return async (request) => {
    const body = readBody(request, emptyBody, { optional: true });
    if (!body.ok) return refuse(body.problem);
    const task = await findTask(store, request);
    if (task === undefined) return noTask();
    const closed = closedProblem(opened, task.queue, task.sensor);
    if (closed !== undefined) return refuse(closed);
    const now = clock.now();
    await wakeQueues(store, new Set([task.queue]), now);
    let firstPoke: boolean | undefined;
    const changed = await changeTask(store, task, async (seen) => {
      const cleared = transition(seen, { type: 'clear' }, { now, by: request.by });
      if (cleared.kind === 'unchanged' || !waitsOnTarget(cleared.task)) return cleared;
      // Join first: a crash in between leaves a target that is watched for nothing, never a task that nobody watches.
      firstPoke ??= (await joinTarget(store, [cleared.task], now)).firstPoke;
      return firstPoke ? { ...cleared, task: { ...cleared.task, first_poke: true } } : cleared;
    });
    return answerOf(changed);
  };
}

/** `POST /v1/tasks/{id}/mark`: sets the state by hand. */
export function createMark(deps: ChangeDeps): Handler {
  return async (request) => {
    const body = readBody(request, markBody);
    if (!body.ok) return refuse(body.problem);
    return takeAway(deps, request, { type: 'mark', state: body.value.state });
  };
}

/** `DELETE /v1/tasks/{id}`: nobody waits for it any more. */
export function createRemove(deps: ChangeDeps): Handler {
  return async (request) => takeAway(deps, request, { type: 'remove' });
}

/** Ends a task's wait from outside; then its target's members are looked at, for it may have been the last. */
async function takeAway({ store, clock, log }: ChangeDeps, request: Request, event: TaskEvent): Promise<Answer> {
  const task = await findTask(store, request);
  if (task === undefined) return noTask();
  const { id, by } = request;
  const changed = await changeTask(store, task, (seen) => transition(seen, event, { now: clock.now(), by }));
  if (changed.kind === 'moved' && waitsOnTarget(changed.before)) {
    try {
      await store.requestCheck(changed.before);
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      // The task has moved, and that is what was asked for; the hourly look finds the target without it.
      log({ message: 'check not requested', id, error: error.message });
    }
  }
  return answerOf(changed);
}

function answerOf(changed: Changed): Answer {
  switch (changed.kind) {
    case 'moved':
    case 'unchanged':
      return taskAnswer(changed.task);
    case 'gone':
      return noTask();
    case 'contended':
      return busy();
  }
}
