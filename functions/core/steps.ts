/**
 * The next record of a task for each thing that can happen to it. Which of them happens is decided in states.ts; here
 * stands what it writes. Every one of them ends in `step`: state, rev and history.
 */
import { retryDelay } from './retry.ts';
import { isExternal, isTerminal, pokesForItself } from './task.ts';
import type { HistoryEntry, Owner, State, Task, TerminalState } from './task.ts';

export interface TransitionContext {
  /** The moment of the event, epoch ms; of an observation: the moment of the poke, equal for all its tasks. */
  readonly now: number;
  /** Who caused it: `service`, `user:<name>`, `worker:<hostname>`. */
  readonly by: string;
}

/** How many history entries a record keeps: the first, and the latest. */
export const HISTORY_LIMIT = 40;

/** Of the entries that a run makes each time, so many are kept. */
const ROUTINE_LIMIT = 12;
const ROUTINE: ReadonlySet<string> = new Set(['start', 'reschedule', 'reschedule due', 'handed over']);

/** DynamoDB forgets a task this long after its end. */
const KEEP_ENDED_MS = 30 * 24 * 3600 * 1000;

/** @returns the instant (epoch ms) after which a try that began at `startedAt` is over: the nearer of its two timeouts. */
export function deadlineOf(exec: Task['exec'], startedAt: number): number {
  const seconds = Math.min(exec.timeout, exec.execution_timeout ?? Number.POSITIVE_INFINITY);
  return startedAt + Math.ceil(seconds * 1000);
}

/** @returns the state of a task that begins a try. */
export function stateAfterSubmit(task: Pick<Task, 'mode' | 'sensor'>): State {
  if (isExternal(task)) return 'queued';
  switch (task.mode) {
    case 'smart':
      return 'sensing';
    case 'deferrable':
      return 'deferred';
    case 'reschedule':
    case 'poke':
      return 'queued';
  }
}

export function upForRetry(task: Task, reason: string, why: string, context: TransitionContext): Task {
  const next_retry_at = context.now + Math.ceil(delayAfter(task).delay * 1000);
  const { result: _, owner: _o, heartbeat_at: _h, ...kept } = task;
  return step(
    // One past it: a retry is due when `now > next_retry_at`.
    { ...kept, ended_at: context.now, reason, next_retry_at, wake_at: next_retry_at + 1 },
    'up_for_retry',
    why,
    context,
  );
}

/** @returns how long after the end of its current try a task's next one begins (seconds), and how that is made up. */
export function delayAfter(task: Task): ReturnType<typeof retryDelay> {
  const { retry_delay, retry_exponential_backoff, max_retry_delay } = task.exec;
  return retryDelay({
    retry_delay,
    factor: retry_exponential_backoff,
    ...(max_retry_delay === undefined ? {} : { max_retry_delay }),
    coordinates: task.coordinates,
    try_number: task.try_number,
  });
}

export function succeed(task: Task, value: unknown, context: TransitionContext): Task {
  const { reason: _, ...kept } = task;
  const next = value === undefined ? kept : { ...kept, result: value };
  return end(next, 'success', undefined, 'met', context);
}

export function end(
  task: Task,
  state: TerminalState,
  reason: string | undefined,
  why: string,
  context: TransitionContext,
): Task {
  const { wake_at: _w, next_retry_at: _n, heartbeat_at: _h, reason: _r, first_poke: _f, cancel: _c, ...kept } = task;
  const expires_at = Math.ceil((context.now + KEEP_ENDED_MS) / 1000);
  const reasoned = reason === undefined ? {} : { reason };
  return step({ ...kept, ...reasoned, ended_at: context.now, expires_at }, state, why, context);
}

/** A user takes the task away; where it was submitted with cancel_on_kill a worker has to end what it watched. */
export function remove(task: Task, context: TransitionContext): Task {
  const removed = end(task, 'removed', 'removed', 'remove', context);
  if (!task.exec.cancel_on_kill || isTerminal(task.state)) return removed;
  return { ...removed, wake_at: context.now, cancel: { state: 'wanted' } };
}

export function beginTry(task: Task, max_tries: number, why: string, context: TransitionContext): Task {
  const {
    ended_at: _e,
    reason: _r,
    result: _v,
    owner: _o,
    heartbeat_at: _h,
    next_retry_at: _n,
    wake_at: _w,
    expires_at: _x,
    first_poke: _f,
    first_unknown_at: _u,
    asked: _a,
    restored_at: _s,
    cancel: _c,
    ...kept
  } = task;
  const deadline = deadlineOf(task.exec, context.now);
  const next: Task = {
    ...kept,
    ...wakeOf(task, deadline, context.now),
    try_number: task.try_number + 1,
    max_tries,
    started_at: context.now,
    deadline,
  };
  return step(next, stateAfterSubmit(task), why, context);
}

export function start(
  task: Task,
  event: { readonly owner?: Owner; readonly leaseUntil?: number },
  context: TransitionContext,
): Task {
  const { owner, leaseUntil } = event;
  if (owner === undefined) {
    return step(leaseUntil === undefined ? task : { ...task, wake_at: leaseUntil }, 'running', 'start', context);
  }
  const wake_at = Math.min(context.now + task.exec.heartbeat_timeout * 1000, task.deadline) + 1;
  return step({ ...task, owner, heartbeat_at: context.now, wake_at }, 'running', 'start', context);
}

export function requeue(task: Task, why: string, context: TransitionContext): Task {
  const { owner: _o, heartbeat_at: _h, wake_at: _w, ...kept } = task;
  return step({ ...kept, ...wakeOf(task, task.deadline, context.now) }, 'queued', why, context);
}

export function reschedule(task: Task, at: number, context: TransitionContext): Task {
  const { owner: _o, heartbeat_at: _h, ...kept } = task;
  return step({ ...kept, wake_at: at }, 'up_for_reschedule', 'reschedule', context);
}

/**
 * When a worker has to look at a task that begins or is queued again: outside work when its deadline is over, what pokes
 * for itself at once, and what waits on a target never (the target is looked at).
 */
export function wakeOf(task: Pick<Task, 'sensor' | 'mode'>, deadline: number, now: number): Pick<Task, 'wake_at'> {
  if (isExternal(task)) return { wake_at: deadline + 1 };
  return pokesForItself(task) ? { wake_at: now } : {};
}

/** Every transition ends here: state, rev, history. */
function step(task: Task, to: State, why: string, context: TransitionContext): Task {
  const because = task.reason !== undefined && why !== task.reason ? `${why}: ${task.reason}` : why;
  const entry: HistoryEntry = {
    at: context.now,
    from: task.state,
    to,
    try_number: task.try_number,
    why: because.slice(0, 500),
    by: context.by,
  };
  return {
    ...task,
    state: to,
    rev: task.rev + 1,
    updated_at: context.now,
    history: bounded([...task.history, entry]),
  };
}

/** A poke of a rescheduled task is three entries: they must not push out why its tries failed, nor fill the record. */
function bounded(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const routine = history.filter(({ why }) => ROUTINE.has(why));
  const oldest = routine.length > ROUTINE_LIMIT ? routine[0] : undefined;
  const kept = oldest === undefined ? history : history.filter((entry) => entry !== oldest);
  if (kept.length <= HISTORY_LIMIT) return kept;
  return [...kept.slice(0, 1), ...kept.slice(1 - HISTORY_LIMIT)];
}
