/**
 * The router: reads the table's stream and has the targets of new tasks poked at once (DESIGN, section 6). Of the tasks
 * that one submit adds to a target, one carries `first_poke`; it is put last, so that its siblings are there by then.
 * Tasks that poke for themselves are handed on as they are: a worker starts as many as their queue has room for.
 */
import { targetKey } from '../core/identity.ts';
import { pokesForItself } from '../core/task.ts';
import type { Task } from '../core/task.ts';
import type { Invoker, Log } from '../ports.ts';
import type { FirstPokesEvent, WorkerEvent } from '../shard-worker/events.ts';
import type { StreamChange } from '../store/stream.ts';

export interface RouterDeps {
  readonly workers: Invoker<WorkerEvent>;
  readonly log: Log;
}

/** Task ids in one invocation: far below the size that an asynchronous invocation may have. */
const TASKS_AN_INVOCATION = 1000;

/** @returns a function that takes the changes of one stream batch; it rejects when they have to be delivered again. */
export function createRouter({ workers, log }: RouterDeps): (changes: readonly StreamChange[]) => Promise<void> {
  return async (changes) => {
    const begun = changes.flatMap(({ before, after }) => (after !== undefined && begins(before, after) ? [after] : []));
    const targets = [...Map.groupBy(begun, (task) => targetKey(task)).values()].flatMap((tasks) => {
      const [first] = tasks;
      // Who joined within 30 s of another first poke has none of its own: the next due poke serves it.
      if (first === undefined || !tasks.some((task) => task.first_poke === true)) return [];
      const { queue, mode, hashcode } = first;
      return [{ queue, mode, hashcode, tasks: tasks.map(({ id }) => id) }];
    });
    for (const part of parts(targets)) await workers.invoke({ kind: 'first_pokes', targets: part });
    const runs = changes.flatMap(({ before, after }) => {
      return after !== undefined && wantsWorker(before, after) ? [after] : [];
    });
    for (const [queue, tasks] of Map.groupBy(runs, (task) => task.queue)) {
      const ordered = tasks.toSorted((a, b) => a.deadline - b.deadline);
      const named = ordered.map(({ id, try_number }) => ({ id, try_number }));
      await workers.invoke({ kind: 'first_runs', queue, tasks: named });
    }
    if (targets.length + runs.length > 0) {
      log({ message: 'routed', targets: targets.length, tasks: begun.length, runs: runs.length });
    }
  };
}

/** Whether the change begins a try that waits on a target. */
function begins(before: Task | undefined, after: Task): boolean {
  return after.state === 'sensing' && before?.try_number !== after.try_number;
}

/** Whether the change begins a try of a task that pokes for itself: its run begins at once. */
function wantsWorker(before: Task | undefined, after: Task): boolean {
  return after.state === 'queued' && pokesForItself(after) && before?.try_number !== after.try_number;
}

function parts(targets: FirstPokesEvent['targets']): FirstPokesEvent['targets'][] {
  const found: FirstPokesEvent['targets'][] = [];
  let part: FirstPokesEvent['targets'] = [];
  let tasks = 0;
  for (const target of targets) {
    if (part.length > 0 && tasks + target.tasks.length > TASKS_AN_INVOCATION) {
      found.push(part);
      part = [];
      tasks = 0;
    }
    part.push(target);
    tasks += target.tasks.length;
  }
  return part.length > 0 ? [...found, part] : found;
}
