/** Runs of tasks that poke for themselves (modes poke and reschedule): what begins one, when it pokes, how long it holds. */
import type { Schedule } from './cadence.ts';
import { intervalMs } from './duration.ts';
import { isClean } from './observation.ts';
import type { Observation } from './observation.ts';
import { pythonText } from './python.ts';
import { transition } from './states.ts';
import type { TaskEvent } from './states.ts';
import type { TransitionContext } from './steps.ts';
import { pokesForItself } from './task.ts';
import type { Task } from './task.ts';

/** A lease holds at least so long: a worker that died is missed after this. */
const LEASE_MS = 180_000;

/** A lease in poke mode holds for so many intervals, where that is longer. */
const LEASE_INTERVALS = 3;

/** What a run's last poke and its last write may take after the run should have ended. */
export const LAST_WORD_MS = 60_000;

/**
 * When a task pokes for itself (DESIGN, section 4, "Poke interval"): a constant interval counts from the start of the try,
 * an exponential one hashes the task's coordinates. A function of the record, so that no worker has to remember.
 * @param notBeforeMs before this instant (epoch ms) a poke is pointless
 */
export function taskSchedule(task: Task, notBeforeMs?: number): Schedule {
  const { poke_interval, exponential_backoff, max_wait } = task.exec;
  return {
    cadence: { poke_interval, exponential: exponential_backoff, ...(max_wait === undefined ? {} : { max_wait }) },
    identity: `${pythonText(task.coordinates.dag_id)}#${pythonText(task.coordinates.task_id)}`,
    phaseMs: task.started_at % intervalMs(poke_interval),
    startMs: task.started_at,
    deadlineMs: task.deadline,
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
  };
}

/** @returns whether the task waits for a run: queued, or rescheduled to an instant that has come. */
export function awaitsRun(task: Task, now: number): boolean {
  if (!pokesForItself(task)) return false;
  if (task.state === 'queued') return true;
  return task.state === 'up_for_reschedule' && (task.wake_at ?? 0) <= now;
}

/** So much nearer is the deadline of a task taken to be for each ms that its run is late: nobody waits for ever. */
const PATIENCE = 60;

/**
 * The order in which runs begin where there is not room for all: the nearest deadline first, and who has waited long
 * before who has just come.
 */
export function byUrgency(now: number): (a: Task, b: Task) => number {
  const rank = (task: Task): number => task.deadline - PATIENCE * Math.max(0, now - (task.wake_at ?? task.updated_at));
  return (a, b) => rank(a) - rank(b);
}

/** @returns whether nobody has run the current try yet. */
export function isFirstRun(task: Task): boolean {
  return task.state === 'queued' && task.updated_at === task.started_at;
}

/** @returns the task as a run holds it: started, in one write also where its reschedule was due first. */
export function startRun(task: Task, leaseUntil: number, context: TransitionContext): Task {
  const events: readonly TaskEvent[] = [{ type: 'reschedule_due' }, { type: 'start', leaseUntil }];
  const started = events.reduce((before, event) => {
    const outcome = transition(before, event, context);
    return outcome.kind === 'moved' ? outcome.task : before;
  }, task);
  return { ...started, rev: task.rev + 1 };
}

/**
 * Until when a worker may hold a task without a sign of life, epoch ms: never longer than it can live itself.
 * @param endsAt when the run ends at the latest, its last poke and write apart
 */
export function leaseUntil({ mode, exec }: Pick<Task, 'mode' | 'exec'>, now: number, endsAt: number): number {
  const patience = mode === 'poke' ? LEASE_INTERVALS * intervalMs(exec.poke_interval) : 0;
  return Math.min(now + Math.max(LEASE_MS, patience), endsAt + LAST_WORD_MS);
}

/** @returns when a lease taken at an instant is renewed: at its half; never where it covers the run's whole life. */
export function renewalAt(takenAt: number, until: number, endsAt: number): number {
  return until >= endsAt + LAST_WORD_MS ? Number.POSITIVE_INFINITY : takenAt + (until - takenAt) / 2;
}

/**
 * The task's own infrastructure window: opened by its first unknown, closed by a clean poke.
 * @param at the moment of the observation, epoch ms
 */
export function noteUnknown(task: Task, observation: Observation, at: number): Task {
  if (!isClean(observation)) return { ...task, first_unknown_at: task.first_unknown_at ?? at };
  if (task.first_unknown_at === undefined) return task;
  const { first_unknown_at: _, ...clean } = task;
  return clean;
}
