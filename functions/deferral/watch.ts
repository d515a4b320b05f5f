/**
 * The watchdog (DESIGN, section 5): every few minutes all deferred tasks of a queue are held against the executions that
 * run. A target without one is taken over; one that sleeps although a task waits on it, or is slower or later than its
 * tasks need, is joined again. It should find nothing; when it does, its metrics say so.
 */
import { targetKey } from '../core/identity.ts';
import type { Target } from '../core/target.ts';
import type { Task } from '../core/task.ts';
import { metricLine } from '../metrics.ts';
import { grouped, serves, targetsOf } from '../shard-worker/sweep.ts';
import type { ListPosition } from '../store/store.ts';
import type { DeferralDeps } from './deps.ts';
import { begin, executionName, isServed, isYoung, nextWake } from './execution.ts';
import { rejoin } from './rejoin.ts';

const PAGE = 500;

/** So long after a join its own start may be on its way. */
const JOINING_MS = 60_000;

interface Counts {
  rejoined: number;
  taken_over: number;
  failed: number;
}

/** Reads the targets 100 a call. Rejects when some of them could not be looked at. */
export async function watchQueue(deps: DeferralDeps, queue: string): Promise<void> {
  const { store, clock, executions, settings, log } = deps;
  const tasks = await deferredTasks(deps, queue);
  if (tasks.length === 0) return;
  const counts: Counts = { rejoined: 0, taken_over: 0, failed: 0 };
  const targets: Target[] = [];
  const each = async (
    target: Pick<Target, 'queue' | 'mode' | 'hashcode'>,
    work: () => Promise<void>,
  ): Promise<void> => {
    try {
      await work();
    } catch (error) {
      counts.failed += 1;
      log({ message: 'target not watched', target: targetKey(target), error: String(error) });
    }
  };
  const groups = grouped(tasks);
  const seen = await targetsOf(store, groups);
  for (const group of groups) {
    await each(group[0], async () => {
      const target = await standing(deps, group, seen.get(targetKey(group[0])), counts);
      if (target !== undefined) targets.push(target);
    });
  }
  // Read after the targets: an execution that hands over meanwhile changes its target, and is not taken over.
  const running = await executions.running();
  for (const target of targets) await each(target, () => holdAgainst(deps, target, running, counts));
  if (counts.rejoined > 0) await store.touchQueue(queue, clock.now());
  const { failed, ...found } = counts;
  const fields = { message: 'watch', tasks: tasks.length, targets: targets.length, failed };
  log(metricLine(settings.metrics_namespace, { queue }, found, fields, clock.now()));
  // Lambda tries again in a minute.
  if (failed > 0) throw new Error(`${failed} targets of ${queue} were not watched`);
}

async function deferredTasks({ store }: DeferralDeps, queue: string): Promise<readonly Task[]> {
  const tasks: Task[] = [];
  let next: ListPosition | undefined;
  do {
    const position = next === undefined ? {} : { next };
    const page = await store.list({ queue, state: 'deferred', limit: PAGE, ...position });
    tasks.push(...page.tasks);
    next = page.next;
  } while (next !== undefined);
  return tasks;
}

/** @returns the target of some tasks, if it does for them what they need; what does not is joined again, and begun. */
async function standing(
  deps: DeferralDeps,
  [first, ...others]: readonly [Task, ...Task[]],
  seen: Target | undefined,
  counts: Counts,
): Promise<Target | undefined> {
  const { store, clock } = deps;
  const now = clock.now();
  const tasks = [first, ...others];
  if (seen !== undefined && seen.dormant === undefined && serves(seen, tasks, now)) return seen;
  const ids = tasks.map(({ id }) => id);
  const joined = await rejoin(deps, first, ids, now);
  const target = joined === 0 ? undefined : await store.target(first);
  if (target === undefined) return undefined;
  counts.rejoined += joined;
  await takeOver(deps, target, counts);
  return undefined;
}

async function holdAgainst(
  deps: DeferralDeps,
  target: Target,
  running: ReadonlySet<string>,
  counts: Counts,
): Promise<void> {
  const { sensors, clock } = deps;
  const now = clock.now();
  if (!isServed(sensors, target, now)) {
    // The start that the last join asked for has a minute.
    if (now - target.joined_at >= JOINING_MS) await takeOver(deps, target, counts);
  } else if (!running.has(executionName(target))) {
    // Young: its start may be on its way, or lost. A name that is taken already is left alone.
    if (isYoung(target, now)) await begin(deps, target, nextWake(sensors, target, now));
    else await takeOver(deps, target, counts);
  }
}

/** Begins the next generation, unless the target has changed since it was seen: then somebody is at it. */
async function takeOver(deps: DeferralDeps, target: Target, counts: Counts): Promise<void> {
  const now = deps.clock.now();
  const next = await deps.store.nextGeneration(target, now);
  if (next === undefined) return;
  counts.taken_over += 1;
  deps.log({ message: 'execution missing', target: targetKey(target), execution: executionName(target) });
  // Nobody knows for how long it has been missing: poked at once.
  await begin(deps, next, now);
}
