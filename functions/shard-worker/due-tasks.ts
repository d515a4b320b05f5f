/** Tasks that have to be looked at themselves: a retry that is due, outside work whose time is over, a run that is due. */
import { targetKey } from '../core/identity.ts';
import { wantedTarget } from '../core/membership.ts';
import { awaitsRun } from '../core/runs.ts';
import { transition } from '../core/states.ts';
import type { TaskEvent } from '../core/states.ts';
import { isExternal, pokesForItself } from '../core/task.ts';
import type { Task } from '../core/task.ts';
import { identify } from '../core/identity.ts';
import { cancelWatched } from './cancel.ts';
import type { WorkerDeps } from './deps.ts';
import { judgeExternal } from './external.ts';
import { moveAll } from './fan-out.ts';
import type { LoadedShard } from './load.ts';
import type { Run } from './run.ts';
import type { Watched } from './tick.ts';

/**
 * Wakes the tasks of a shard that are due.
 * @returns the targets that resumed retries wait on: poked at once, as after a submit
 */
export async function wakeTasks(
  deps: WorkerDeps,
  run: Run,
  shard: LoadedShard,
  tasks: readonly Task[],
): Promise<readonly Watched[]> {
  const killed = tasks.filter((task) => task.cancel !== undefined);
  const outside = tasks.filter((task) => isExternal(task) && task.cancel === undefined);
  const own = tasks.filter((task) => pokesForItself(task));
  const shared = tasks.filter((task) => task.state === 'up_for_retry' && !isExternal(task) && !pokesForItself(task));
  const groups = [...Map.groupBy(shared, (task) => targetKey(task)).values()];
  const resumed = await Promise.all(
    groups.map((group) => guarded(deps, shard, group, () => resume(deps, run, shard, group))),
  );
  await Promise.all(
    outside.map((task) => guarded(deps, shard, [task], () => run.limit(() => judgeExternal(deps, run, task)))),
  );
  await Promise.all(
    killed.map((task) => guarded(deps, shard, [task], () => run.limit(() => cancelWatched(deps, run, task)))),
  );
  if (own.length > 0)
    shard.runs.push(...((await guarded(deps, shard, own, () => queueRuns(deps, run, shard, own))) ?? []));
  return resumed.flatMap((one) => one ?? []);
}

/**
 * Tasks that poke for themselves: a retry begins its try (the router has that run at once), a run that died is missed.
 * @returns those that wait for a run
 */
async function queueRuns(
  { store }: WorkerDeps,
  run: Run,
  shard: LoadedShard,
  tasks: readonly Task[],
): Promise<readonly Task[]> {
  const context = { now: shard.loadedAt, by: 'service' };
  const retries = tasks.filter(({ state }) => state === 'up_for_retry');
  const dead = tasks.filter(({ state }) => state === 'running');
  const begun = await run.limit(() => moveAll(store, retries, () => ({ type: 'retry_due' }), context));
  // A run that is missed or waits is counted until it has begun; a retry only where it is expected.
  if (begun.failed > 0) shard.wakes.push(shard.loadedAt);
  const missed = await run.limit(() => moveAll(store, dead, (task) => lostLease(task, context.now), context));
  const requeued = missed.moved === 0 ? [] : await run.limit(() => store.tasks(dead.map(({ id }) => id)));
  return [...tasks, ...requeued].filter((task) => awaitsRun(task, context.now));
}

/** The index may lag: a lease that was renewed meanwhile holds. */
function lostLease({ state, wake_at }: Task, now: number): TaskEvent | undefined {
  return state === 'running' && (wake_at ?? 0) <= now ? { type: 'lease_expired' } : undefined;
}

/** One task's trouble is nobody else's: it stays due, and the next tick is expected to try again. */
async function guarded<Answer>(
  { log }: WorkerDeps,
  shard: LoadedShard,
  tasks: readonly Task[],
  work: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await work();
  } catch (error) {
    log({ message: 'due task failed', task: tasks[0]?.id, tasks: tasks.length, error: String(error) });
    shard.wakes.push(shard.loadedAt);
    return undefined;
  }
}

/** Joins first, then the transitions: a crash between them leaves a target that is watched for nothing, no lost task. */
async function resume(
  { store }: WorkerDeps,
  run: Run,
  shard: LoadedShard,
  group: readonly Task[],
): Promise<readonly Watched[]> {
  const context = { now: shard.loadedAt, by: 'service' };
  const next = group.flatMap((task) => {
    const outcome = transition(task, { type: 'retry_due' }, context);
    return outcome.kind === 'moved' ? [outcome.task] : [];
  });
  const [first, ...others] = next;
  if (first === undefined) return [];
  const { full_hash } = identify(first.sensor);
  const { target } = await run.limit(() => store.join(wantedTarget([first, ...others], full_hash, context.now), false));
  const { failed } = await run.limit(() => moveAll(store, group, () => ({ type: 'retry_due' }), context));
  if (failed > 0) shard.wakes.push(shard.loadedAt);
  return [{ target, shard, first: true, urgent: true }];
}
