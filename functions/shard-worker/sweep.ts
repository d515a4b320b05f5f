/**
 * The hourly backstop (DESIGN, section 3): every task that is not at its end is looked at. One whose target is missing,
 * asleep, slower or later than it needs joins again; the tick then ends what is past its deadline. It should find
 * nothing; when it does, its metric says so.
 */
import { identify, targetKey } from '../core/identity.ts';
import { cadenceOf, isSettled, wantedTarget } from '../core/membership.ts';
import { metricLine } from '../metrics.ts';
import type { Target } from '../core/target.ts';
import type { Task } from '../core/task.ts';
import type { ListPosition, Store } from '../store/store.ts';
import type { WorkerDeps } from './deps.ts';

const PAGE = 100;

/** @returns how many tasks were looked at, and how many had to join again. */
export async function sweepQueue(deps: WorkerDeps, queue: string): Promise<{ looked: number; rejoined: number }> {
  const { store, clock, settings, log } = deps;
  let looked = 0;
  let rejoined = 0;
  let next: ListPosition | undefined;
  do {
    const position = next === undefined ? {} : { next };
    const page = await store.list({ queue, state: 'sensing', limit: PAGE, ...position });
    looked += page.tasks.length;
    rejoined += await rejoin(deps, page.tasks, clock.now());
    next = page.next;
  } while (next !== undefined);
  log(metricLine(settings.metrics_namespace, { queue }, { rejoined }, { message: 'sweep', looked }, clock.now()));
  return { looked, rejoined };
}

async function rejoin({ store }: WorkerDeps, tasks: readonly Task[], now: number): Promise<number> {
  let rejoined = 0;
  const groups = grouped(tasks);
  const targets = await targetsOf(store, groups);
  for (const [first, ...others] of groups) {
    const target = targets.get(targetKey(first));
    if (target !== undefined && serves(target, [first, ...others], now)) continue;
    await store.join(wantedTarget([first, ...others], identify(first.sensor).full_hash, now), false);
    rejoined += 1 + others.length;
  }
  return rejoined;
}

/** @returns the tasks by their target. */
export function grouped(tasks: readonly Task[]): [Task, ...Task[]][] {
  return [...Map.groupBy(tasks, (task) => targetKey(task)).values()].flatMap(([first, ...others]) => {
    return first === undefined ? [] : [[first, ...others] satisfies [Task, ...Task[]]];
  });
}

/** @returns the targets of groups of tasks by their keys, those that exist. */
export async function targetsOf(
  store: Pick<Store, 'targets'>,
  groups: readonly (readonly [Task, ...Task[]])[],
): Promise<ReadonlyMap<string, Target>> {
  const targets = await store.targets(groups.map(([first]) => first));
  return new Map(targets.map((target) => [targetKey(target), target]));
}

/** @returns whether the target does for these tasks what it owes them. A target that was just joined or just fell asleep does. */
export function serves(target: Target, tasks: readonly Task[], now: number): boolean {
  if (!isSettled(target, now)) return true;
  if (target.dormant !== undefined) return false;
  const wanted = cadenceOf(tasks);
  const slower = target.poke_interval > wanted.poke_interval || (target.exponential && !wanted.exponential);
  return !slower && tasks.every(({ deadline }) => deadline >= target.next_deadline);
}
