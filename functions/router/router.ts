/**
 * The router: reads the table's stream and has the targets of new tasks poked at once (DESIGN, section 6). Of the tasks
 * that one submit adds to a target, one carries `first_poke`; it is put last, so that its siblings are there by then.
 * Tasks that poke for themselves are handed on as they are: a worker starts as many as their queue has room for. What
 * happens to deferred tasks is the deferral function's: it has executions wait for their targets.
 */
import { targetKey } from '../core/identity.ts';
import { pokesForItself } from '../core/task.ts';
import type { Task } from '../core/task.ts';
import type { DeferralEvent } from '../deferral/events.ts';
import type { Invoker, Log } from '../ports.ts';
import type { WorkerEvent } from '../shard-worker/events.ts';
import type { StreamChange } from '../store/stream.ts';
import { deferralsOf } from './deferrals.ts';
import { parts } from './parts.ts';

export interface RouterDeps {
  readonly workers: Invoker<WorkerEvent>;
  readonly deferral: Invoker<DeferralEvent>;
  readonly log: Log;
}

/** @returns a function that takes the changes of one stream batch; it rejects when they have to be delivered again. */
export function createRouter(deps: RouterDeps): (changes: readonly StreamChange[]) => Promise<void> {
  const { workers, deferral, log } = deps;
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
    const deferrals = deferralsOf(changes);
    for (const event of deferrals) await deferral.invoke(event);
    if (targets.length + runs.length + deferrals.length > 0) {
      const counts = { targets: targets.length, tasks: begun.length, runs: runs.length, deferrals: deferrals.length };
      log({ message: 'routed', ...counts });
    }
  };
}

/** Whether the change begins a try that waits on a target, or has such a try ask for a poke after all. */
function begins(before: Task | undefined, after: Task): boolean {
  if (after.state !== 'sensing') return false;
  return before?.try_number !== after.try_number || (after.first_poke === true && before.first_poke !== true);
}

/** Whether the change begins a try of a task that pokes for itself: its run begins at once. */
function wantsWorker(before: Task | undefined, after: Task): boolean {
  return after.state === 'queued' && pokesForItself(after) && before?.try_number !== after.try_number;
}
