/** `PATCH .../state`: a worker says how its try ended, and the server decides by the rules what becomes of the task. */
import { readBody } from '../api/body.ts';
import { changeTask } from '../api/change-task.ts';
import type { Answer, Handler } from '../api/http.ts';
import { busy, refuse } from '../api/problem.ts';
import { findTask } from '../api/tasks.ts';
import { transition } from '../core/states.ts';
import type { TaskEvent, Transition } from '../core/states.ts';
import { isExternal, tryId } from '../core/task.ts';
import type { Task } from '../core/task.ts';
import { stateBody } from './bodies.ts';
import type { Asked } from './bodies.ts';
import type { ExecutionDeps } from './deps.ts';
import { addressOf, fence, invalidState, noTry } from './fence.ts';

export function createState({ store, clock }: ExecutionDeps): Handler {
  return async (request) => {
    const body = readBody(request, stateBody);
    if (!body.ok) return refuse(body.problem);
    const asked = body.value;
    const address = addressOf(request.id, asked.try_number);
    if ('refused' in address) return address.refused;

    const task = await findTask(store, { ...request, id: address.id });
    if (task === undefined) return noTry();
    const now = clock.now();
    const changed = await changeTask(store, task, (seen): Transition => {
      if (fence(seen, address) !== undefined) return { kind: 'unchanged', why: 'not_applicable' };
      return decide(seen, asked, now, request.by);
    });
    switch (changed.kind) {
      case 'moved':
        return { status: 204 };
      case 'unchanged':
        return fence(changed.task, address) ?? standing(changed.task, asked);
      case 'gone':
        return noTry();
      case 'contended':
        return busy();
    }
  };
}

/** Only what runs is ended by its worker; what it asked for is kept, so that asking again is answered the same. */
function decide(task: Task, asked: Asked, now: number, by: string): Transition {
  if (!isExternal(task) || task.state !== 'running') return { kind: 'unchanged', why: 'not_applicable' };
  const actor = task.owner === undefined ? by : `worker:${task.owner.hostname}`;
  const outcome = transition(task, eventOf(task, asked), { now, by: actor });
  return outcome.kind === 'moved' ? { ...outcome, task: { ...outcome.task, asked: asked.state } } : outcome;
}

function eventOf(task: Task, asked: Asked): TaskEvent {
  switch (asked.state) {
    case 'success':
      return { type: 'met' };
    case 'failed':
      return { type: 'failed', reason: asked.reason ?? 'failed, its worker says' };
    case 'up_for_retry':
      // Whether it is retried is not the worker's to say: the rules are the same as for a failure.
      return { type: 'failed', reason: asked.reason ?? 'its worker asks for a retry' };
    case 'fail_without_retry':
      return { type: 'fail_without_retry', ...reasonOf(asked) };
    case 'skipped':
      return { type: 'skip', ...reasonOf(asked) };
    case 'up_for_reschedule':
      // Not past the deadline: that is when somebody has to look at the task whatever its worker wants.
      return { type: 'reschedule', at: Math.min(asked.reschedule_date, task.deadline + 1) };
  }
}

function reasonOf({ reason }: { readonly reason?: string }): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}

/** Nothing was changed: 200 where the task is in that state, or its try asked for just that before. */
function standing(task: Task, asked: Asked): Answer {
  if (!isExternal(task)) return invalidState(task, 'the task has no worker of its own: its sensor is poked');
  const { id, state, try_number } = task;
  if (state !== asked.state && task.asked !== asked.state) {
    return invalidState(task, `the task is ${state} and not running`);
  }
  return { status: 200, body: { id, try_id: tryId(task), try_number, state } };
}
