/** `PUT .../heartbeat`: a worker says that it is alive, and hears when it should stop. */
import { readBody } from '../api/body.ts';
import type { Answer, Handler } from '../api/http.ts';
import { busy, problem, refuse } from '../api/problem.ts';
import { findTask } from '../api/tasks.ts';
import { reaches } from '../api/within-queue.ts';
import type { Owner, Task } from '../core/task.ts';
import { heartbeatBody } from './bodies.ts';
import type { ExecutionDeps } from './deps.ts';
import { addressOf, fence, noTry } from './fence.ts';

export function createHeartbeat({ store, clock }: ExecutionDeps): Handler {
  return async (request) => {
    const body = readBody(request, heartbeatBody);
    if (!body.ok) return refuse(body.problem);
    const { hostname, pid, try_number } = body.value;
    const owner = { hostname, pid };
    const address = addressOf(request.id, try_number);
    if ('refused' in address) return address.refused;

    // A heartbeat is its own condition (running, this try, this owner, the path's queue): where the try is named nothing is read before.
    const current = address.try_number ?? (await findTask(store, { ...request, id: address.id }))?.try_number;
    if (current === undefined) return noTry();
    const answer = await store.heartbeat(address.id, current, { ...owner, queue: request.queue }, clock.now());
    if (answer.moved) return { status: 204 };
    const task = answer.current;
    if (task === undefined || !reaches(request, task)) return noTry();
    // Neither over nor refused: the task changed hands between the two calls, and the next beat will tell.
    return fence(task, address) ?? refusal(task, owner) ?? busy();
  };
}

/** Why a worker's heartbeat is not taken; undefined if nothing stands against it. Benign for a try that just ended. */
function refusal({ state, owner }: Task, beat: Pick<Owner, 'hostname' | 'pid'>): Answer | undefined {
  if (state !== 'running') {
    return refuse(problem(409, `the task is ${state}`, { reason: 'not_running', previous_state: state }));
  }
  if (owner?.hostname === beat.hostname && owner.pid === beat.pid) return undefined;
  const elsewhere = { reason: 'running_elsewhere', current_hostname: owner?.hostname, current_pid: owner?.pid };
  return refuse(problem(409, 'another worker runs the task', elsewhere));
}
