/** `PATCH .../run`: a worker takes the try. Idempotent for its owner, refused to everybody else. */
import { readBody } from '../api/body.ts';
import { changeTask } from '../api/change-task.ts';
import type { Answer, Handler } from '../api/http.ts';
import { iso } from '../api/present.ts';
import { busy, refuse } from '../api/problem.ts';
import { findTask } from '../api/tasks.ts';
import { isEligible } from '../core/retry.ts';
import { transition } from '../core/states.ts';
import { isExternal, tryId } from '../core/task.ts';
import type { Owner, Task } from '../core/task.ts';
import { runBody } from './bodies.ts';
import type { ExecutionDeps } from './deps.ts';
import { addressOf, fence, invalidState, noTry } from './fence.ts';

export function createRun({ store, clock }: ExecutionDeps): Handler {
  return async (request) => {
    const body = readBody(request, runBody);
    if (!body.ok) return refuse(body.problem);
    const { hostname, unixname, pid, try_number } = body.value;
    const owner: Owner = { hostname, unixname, pid };
    const address = addressOf(request.id, try_number);
    if ('refused' in address) return address.refused;

    const task = await findTask(store, { ...request, id: address.id });
    if (task === undefined) return noTry();
    const context = { now: clock.now(), by: `worker:${hostname}` };
    const changed = await changeTask(store, task, (seen) => {
      if (!isExternal(seen) || fence(seen, address) !== undefined) return { kind: 'unchanged', why: 'not_applicable' };
      // What it asked for before it was called again (a reschedule) says nothing about this run.
      const { asked: _, ...queued } = seen;
      return transition(queued, { type: 'start', owner }, context);
    });
    switch (changed.kind) {
      case 'moved':
        return started(changed.task);
      case 'unchanged':
        return fence(changed.task, address) ?? standing(changed.task, owner);
      case 'gone':
        return noTry();
      case 'contended':
        return busy();
    }
  };
}

/** The try was not started by this request: it runs for this owner already, or it cannot be run. */
function standing(task: Task, owner: Owner): Answer {
  if (!isExternal(task)) return invalidState(task, 'the task has no worker of its own: its sensor is poked');
  if (task.state !== 'running') return invalidState(task, `the task is ${task.state} and not queued`);
  return isOwner(task, owner) ? started(task) : invalidState(task, 'another worker runs the task');
}

function isOwner({ owner }: Task, { hostname, unixname, pid }: Owner): boolean {
  return owner?.hostname === hostname && owner.unixname === unixname && owner.pid === pid;
}

function started(task: Task): Answer {
  const { id, try_number, max_tries, sensor } = task;
  const body = {
    id,
    try_id: tryId(task),
    try_number,
    max_tries,
    should_retry: isEligible(task),
    deadline: iso(task.deadline),
    sensor,
  };
  return { status: 200, body };
}
