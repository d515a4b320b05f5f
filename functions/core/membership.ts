/** What a target owes its members: the cadence of the most eager one, and the earliest deadline. Pure. */
import type { Cadence, Target } from './target.ts';
import type { Task } from './task.ts';

/** For so long after a join an index may still hide members: nothing is relaxed or deleted. */
export const GRACE_MS = 5 * 60 * 1000;

/** At most one poke at once per target in this time. */
export const FIRST_POKE_MS = 30_000;

type Waiting = Pick<Task, 'exec' | 'deadline'>;

/**
 * The cadence that serves all of the members: the smallest constant interval; exponential only while every member is.
 * Among constant members an exponential one counts with its max_wait, where it has one: nobody is poked more seldom
 * than they asked for because they share.
 * @param members at least one
 */
export function cadenceOf(members: readonly Waiting[]): Cadence {
  const smallest = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const backingOff = members.filter(({ exec }) => exec.exponential_backoff);
  const max_wait = smallest(backingOff.map(({ exec }) => exec.max_wait ?? Number.POSITIVE_INFINITY));
  if (backingOff.length === members.length) {
    const poke_interval = smallest(members.map(({ exec }) => exec.poke_interval));
    return { poke_interval, exponential: true, ...(Number.isFinite(max_wait) ? { max_wait } : {}) };
  }
  const constant = members.filter(({ exec }) => !exec.exponential_backoff).map(({ exec }) => exec.poke_interval);
  return { poke_interval: Math.min(smallest(constant), max_wait), exponential: false };
}

/** @returns the earliest deadline of the members (at least one), epoch ms. */
export function nextDeadlineOf(members: readonly Waiting[]): number {
  return members.reduce((earliest, { deadline }) => Math.min(earliest, deadline), Number.POSITIVE_INFINITY);
}

/**
 * The target as it would be with these joiners alone.
 * @param joiners tasks of one queue, mode and hashcode; at least one
 * @param fullHash all bits behind their hashcode
 * @param now epoch ms
 */
export function wantedTarget(joiners: readonly [Task, ...Task[]], fullHash: string, now: number): Target {
  const [{ queue, mode, hashcode, shardcode, sensor }] = joiners;
  return {
    queue,
    mode,
    hashcode,
    shardcode,
    sensor,
    full_hash: fullHash,
    ...cadenceOf(joiners),
    next_deadline: nextDeadlineOf(joiners),
    rev: 1,
    joined_at: now,
    first_poke_at: now,
  };
}

/** @returns whether the last join is so long ago that the index shows all who joined. */
export function isSettled(target: Pick<Target, 'joined_at'>, now: number): boolean {
  return now - target.joined_at >= GRACE_MS;
}

/**
 * What a target may relax to, given all of its members (at least one).
 * @returns the new cadence and deadline, or undefined: nothing to relax, or somebody joined within the grace.
 */
export function relaxation(
  target: Target,
  members: readonly Waiting[],
  now: number,
): { readonly cadence: Cadence; readonly next_deadline: number } | undefined {
  if (members.length === 0 || !isSettled(target, now)) return undefined;
  const cadence = cadenceOf(members);
  const next_deadline = nextDeadlineOf(members);
  const same =
    cadence.poke_interval === target.poke_interval &&
    cadence.exponential === target.exponential &&
    cadence.max_wait === target.max_wait &&
    next_deadline === target.next_deadline;
  return same ? undefined : { cadence, next_deadline };
}
