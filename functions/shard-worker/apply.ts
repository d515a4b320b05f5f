/**
 * What an observation does to a target and to the tasks that wait on it: fan-out, leaving, relaxing (DESIGN, sections
 * 3 and 4). An idle poke (not met, nothing changed, nobody's deadline passed) reads nothing and writes nothing.
 */
import { endsWaits, judge } from '../core/judge.ts';
import type { Judgement } from '../core/judge.ts';
import { relaxation } from '../core/membership.ts';
import { fingerprint } from '../core/observation.ts';
import type { Observation } from '../core/observation.ts';
import type { SeenObservation, Target } from '../core/target.ts';
import type { Task } from '../core/task.ts';
import type { ServiceSettings } from '../settings.ts';
import type { WorkerDeps } from './deps.ts';
import { moveAll } from './fan-out.ts';
import { readMembers } from './members.ts';
import type { Run } from './run.ts';

/** What became of a target in this run. */
export type Applied =
  /** Goes on being poked. */
  | { readonly kind: 'awake'; readonly target: Target }
  /** Nobody waits on it any more. */
  | { readonly kind: 'dormant' }
  /** Some of its tasks could not be written: poke it again first thing in the next tick. */
  | { readonly kind: 'incomplete'; readonly target: Target };

interface ApplyDeps extends Pick<WorkerDeps, 'store' | 'settings'> {
  readonly sensors: Pick<WorkerDeps['sensors'], 'operationOf'>;
}

/** @returns whether an observation leaves all as it is: nothing is read, nothing is written. */
export function isIdle(
  { settings }: Pick<ApplyDeps, 'settings'>,
  target: Target,
  observation: Observation,
  at: number,
): boolean {
  const { judgement, changed } = judgementOf(settings, target, observation, at);
  return !changed && !isForMembers(target, observation, judgement);
}

function judgementOf(
  { infra_window_seconds }: ServiceSettings,
  target: Target,
  observation: Observation,
  at: number,
): { readonly judgement: Judgement; readonly changed: boolean } {
  const infraWindowMs = infra_window_seconds * 1000;
  const firstUnknownAt = observation.kind === 'unknown' ? (target.first_unknown_at ?? at) : undefined;
  return {
    judgement: { at, infraWindowMs, ...(firstUnknownAt === undefined ? {} : { firstUnknownAt }) },
    changed: fingerprint(observation) !== fingerprint(target.observation) || firstUnknownAt !== target.first_unknown_at,
  };
}

/**
 * @param target as it was seen before the poke
 * @param observation what the poke said
 * @param at the moment of the observation, epoch ms
 * @param extra ids of tasks that wait on it though the index may not show them yet
 */
export async function applyObservation(
  deps: ApplyDeps,
  run: Run,
  target: Target,
  observation: Observation,
  at: number,
  extra: readonly string[] = [],
): Promise<Applied> {
  const { judgement, changed } = judgementOf(deps.settings, target, observation, at);
  const { firstUnknownAt } = judgement;
  const observe = () => deps.store.observe(target, { observation, at, first_unknown_at: firstUnknownAt ?? null });
  // The next poke of this tick goes on from here: what has not changed since is not written again.
  const seen = changed ? observed(target, { ...observation, at }, firstUnknownAt) : target;

  if (!isForMembers(target, observation, judgement)) {
    if (!changed || (await observe())) return { kind: 'awake', target: seen };
    return { kind: 'dormant' };
  }
  const left = await settleMembers(deps, run, target, observation, judgement, extra);
  if (left.failed > 0) {
    if (changed) await observe();
    return { kind: 'incomplete', target: seen };
  }
  if (left.waiting.length === 0) {
    // IF rev = seen: a task that joined while we read keeps the target awake.
    const asleep = await deps.store.goDormant(target, at, changed ? { observation, at } : undefined);
    return asleep ? { kind: 'dormant' } : { kind: 'awake', target };
  }
  if (changed) await observe();
  return { kind: 'awake', target: await relax(deps, seen, left.waiting, at) };
}

/** @returns the target as the table keeps it once this was written to it. */
function observed(target: Target, observation: SeenObservation, firstUnknownAt: number | undefined): Target {
  const { first_unknown_at: _, ...kept } = target;
  return { ...kept, observation, ...(firstUnknownAt === undefined ? {} : { first_unknown_at: firstUnknownAt }) };
}

/** Whether the observation can end somebody's wait, or somebody asked for a look at the members. */
function isForMembers(target: Target, observation: Observation, { at, firstUnknownAt, infraWindowMs }: Judgement) {
  if (target.check === true || endsWaits(observation)) return true;
  if (firstUnknownAt !== undefined) return at - firstUnknownAt > infraWindowMs;
  return at > target.next_deadline;
}

interface Left {
  readonly waiting: readonly Task[];
  /** How many transitions could not be written. */
  readonly failed: number;
}

/** Judges every member, page by page, and writes what ends. */
async function settleMembers(
  deps: ApplyDeps,
  run: Run,
  target: Target,
  observation: Observation,
  judgement: Judgement,
  extra: readonly string[],
): Promise<Left> {
  const waiting: Task[] = [];
  let members = 0;
  let failed = 0;
  const context = { now: judgement.at, by: 'service' };
  for await (const page of readMembers(deps.store, target, judgement.at, extra)) {
    const outcome = await moveAll(deps.store, page, (task) => judge(task, observation, judgement), context);
    members += page.length;
    run.counts.ended += outcome.moved;
    failed += outcome.failed;
    waiting.push(...outcome.unmoved.filter((task) => task.state === 'sensing' || task.state === 'deferred'));
  }
  if (deps.sensors.operationOf(target.sensor) !== undefined) run.shared.members += Math.max(0, members - 1);
  return { waiting, failed };
}

/** Looks at the members without a poke: a user took a task away, an hour has passed, or a deadline has. */
export async function reviewMembers(deps: Pick<WorkerDeps, 'store'>, target: Target, now: number): Promise<Reviewed> {
  const waiting: Task[] = [];
  for await (const page of readMembers(deps.store, target, now)) waiting.push(...page);
  if (waiting.length === 0) {
    return (await deps.store.goDormant(target, now)) ? { kind: 'dormant' } : { kind: 'awake', target, overdue: false };
  }
  const overdue = waiting.some(({ deadline }) => deadline < now);
  return { kind: 'awake', target: await relax(deps, target, waiting, now), overdue };
}

export type Reviewed =
  | { readonly kind: 'awake'; readonly target: Target; readonly overdue: boolean }
  | { readonly kind: 'dormant' };

async function relax(
  { store }: Pick<WorkerDeps, 'store'>,
  target: Target,
  waiting: readonly Task[],
  now: number,
): Promise<Target> {
  const looser = relaxation(target, waiting, now);
  if (looser !== undefined) {
    if (!(await store.relax(target, looser.cadence, looser.next_deadline))) return target;
    const { max_wait: _m, check: _c, ...kept } = target;
    return { ...kept, ...looser.cadence, next_deadline: looser.next_deadline, rev: target.rev + 1 };
  }
  if (target.check !== true || !(await store.clearCheck(target))) return target;
  const { check: _c, ...kept } = target;
  return { ...kept, rev: target.rev + 1 };
}
