/**
 * The state machine (DESIGN, section 4): `transition` decides the next record of a task, and nothing else does.
 * It is pure; the store writes its result IF the rev is still the one that was seen.
 */
import { isEligible, retryDelay } from './retry.ts';
import { isExternal, isTerminal } from './task.ts';
import type { HistoryEntry, Owner, State, Task, TerminalState } from './task.ts';

export type TaskEvent =
  /** A worker takes a queued task. */
  | { readonly type: 'start'; readonly owner?: Owner }
  /** Our own worker died: the same try again, no try used. */
  | { readonly type: 'lease_expired' }
  | { readonly type: 'met'; readonly value?: unknown }
  /** `now > deadline` and a clean poke says not met. */
  | { readonly type: 'timeout' }
  /** The same, where execution_timeout is the one that passed: a failure. */
  | { readonly type: 'execution_timeout' }
  /** The watched thing failed, a permanent error, the worker's own word, a lost heartbeat, an outage over the window. */
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'fail_without_retry'; readonly reason?: string }
  /** The worker skips its own task. */
  | { readonly type: 'skip'; readonly reason?: string }
  | { readonly type: 'reschedule'; readonly at: number }
  | { readonly type: 'reschedule_due' }
  | { readonly type: 'retry_due' }
  | { readonly type: 'clear' }
  | { readonly type: 'mark'; readonly state: 'success' | 'failed' | 'skipped' }
  | { readonly type: 'remove' };

export type EventType = TaskEvent['type'];

export interface TransitionContext {
  /** The moment of the event, epoch ms; of an observation: the moment of the poke, equal for all its tasks. */
  readonly now: number;
  /** Who caused it: `service`, `user:<name>`, `worker:<hostname>`. */
  readonly by: string;
}

export type Transition =
  | { readonly kind: 'moved'; readonly task: Task }
  /** terminal: it has ended; not_applicable: the event means nothing in this state; same: a mark it already carries. */
  | { readonly kind: 'unchanged'; readonly why: 'terminal' | 'not_applicable' | 'same' };

/** How many history entries a record keeps: the first, and the latest. */
export const HISTORY_LIMIT = 40;

/** DynamoDB forgets a task this long after its end. */
const KEEP_ENDED_MS = 30 * 24 * 3600 * 1000;

/** What `newTask` adds to the fields of a submit. */
type Derived =
  | 'rev'
  | 'state'
  | 'try_number'
  | 'max_tries'
  | 'created_at'
  | 'updated_at'
  | 'started_at'
  | 'deadline'
  | 'history';

/**
 * The record of a submitted task.
 * @param fields what was submitted, with defaults filled in
 * @param now epoch ms; the start of its first try
 * @param by who submitted it
 */
export function newTask(fields: Omit<Task, Derived>, now: number, by: string): Task {
  const state = stateAfterSubmit(fields);
  const deadline = deadlineOf(fields.exec, now);
  const wakes = isExternal(fields) ? { wake_at: deadline + 1 } : {};
  return {
    ...fields,
    ...wakes,
    rev: 1,
    state,
    try_number: 1,
    max_tries: fields.exec.retries,
    created_at: now,
    updated_at: now,
    started_at: now,
    deadline,
    history: [{ at: now, from: 'none', to: state, try_number: 1, why: 'submit', by }],
  };
}

/** @returns the instant (epoch ms) after which a try that began at `startedAt` is over: the nearer of its two timeouts. */
export function deadlineOf(exec: Task['exec'], startedAt: number): number {
  const seconds = Math.min(exec.timeout, exec.execution_timeout ?? Number.POSITIVE_INFINITY);
  return startedAt + Math.ceil(seconds * 1000);
}

/** @returns whether the deadline of a task is its execution_timeout (a failure) and not its timeout. */
export function endsByExecutionTimeout(exec: Task['exec']): boolean {
  return exec.execution_timeout !== undefined && exec.execution_timeout < exec.timeout;
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

/**
 * Decides what an event does to a task.
 * @returns the next record (rev + 1), or why nothing changes. Never throws on an event that does not apply.
 */
export function transition(task: Task, event: TaskEvent, context: TransitionContext): Transition {
  switch (event.type) {
    case 'clear':
      return moved(beginTry(task, task.try_number + task.exec.retries, 'clear', context));
    case 'mark':
      if (task.state === event.state) return { kind: 'unchanged', why: 'same' };
      return moved(end(task, event.state, `marked ${event.state}`, 'mark', context));
    case 'remove':
      if (task.state === 'removed') return { kind: 'unchanged', why: 'same' };
      return moved(end(task, 'removed', 'removed', 'remove', context));
    default:
      if (isTerminal(task.state)) return { kind: 'unchanged', why: 'terminal' };
      return whileActive(task, event, context);
  }
}

type ActiveEvent = Exclude<TaskEvent, { type: 'clear' | 'mark' | 'remove' }>;

function whileActive(task: Task, event: ActiveEvent, context: TransitionContext): Transition {
  switch (event.type) {
    case 'retry_due':
      return task.state === 'up_for_retry' ? moved(beginTry(task, task.max_tries, 'retry', context)) : notApplicable();
    case 'start':
      return task.state === 'queued' ? moved(start(task, event.owner, context)) : notApplicable();
    case 'lease_expired':
      return task.state === 'running' ? moved(requeue(task, 'lease expired', context)) : notApplicable();
    case 'reschedule_due':
      return task.state === 'up_for_reschedule' ? moved(requeue(task, 'reschedule due', context)) : notApplicable();
    case 'reschedule':
      return task.state === 'running' ? moved(reschedule(task, event.at, context)) : notApplicable();
    case 'fail_without_retry': {
      if (task.state !== 'running') return notApplicable();
      const reason = event.reason ?? 'failed without retry';
      const state = task.exec.soft_fail || task.exec.never_fail ? 'skipped' : 'failed';
      return moved(end(task, state, reason, 'fail_without_retry', context));
    }
    case 'skip':
      return task.state === 'running'
        ? moved(end(task, 'skipped', event.reason ?? 'skipped by its worker', 'skip', context))
        : notApplicable();
    case 'met':
      return waits(task) ? moved(succeed(task, event.value, context)) : notApplicable();
    case 'timeout':
      return waits(task) ? moved(timeOut(task, context)) : notApplicable();
    case 'execution_timeout':
      return waits(task) ? moved(fail(task, 'execution_timeout', 'execution_timeout', context)) : notApplicable();
    case 'failed':
      return waits(task) ? moved(fail(task, event.reason, 'failed', context)) : notApplicable();
  }
}

/** Waiting or running: everything active but a task between two tries. */
function waits(task: Task): boolean {
  return task.state !== 'up_for_retry';
}

function timeOut(task: Task, context: TransitionContext): Task {
  const { exec } = task;
  if (exec.never_fail) return end(task, 'skipped', 'timeout', 'timeout', context);
  if (exec.retry_on_timeout && isEligible(task)) return upForRetry(task, 'timeout', 'timeout', context);
  return end(task, exec.soft_fail ? 'skipped' : 'failed', 'timeout', 'timeout', context);
}

function fail(task: Task, reason: string, why: string, context: TransitionContext): Task {
  if (task.exec.never_fail) return end(task, 'skipped', reason, why, context);
  return isEligible(task) ? upForRetry(task, reason, why, context) : end(task, 'failed', reason, why, context);
}

function upForRetry(task: Task, reason: string, why: string, context: TransitionContext): Task {
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

function succeed(task: Task, value: unknown, context: TransitionContext): Task {
  const { reason: _, ...kept } = task;
  const next = value === undefined ? kept : { ...kept, result: value };
  return end(next, 'success', undefined, 'met', context);
}

function end(
  task: Task,
  state: TerminalState,
  reason: string | undefined,
  why: string,
  context: TransitionContext,
): Task {
  const { wake_at: _w, next_retry_at: _n, heartbeat_at: _h, reason: _r, first_poke: _f, ...kept } = task;
  const expires_at = Math.ceil((context.now + KEEP_ENDED_MS) / 1000);
  const reasoned = reason === undefined ? {} : { reason };
  return step({ ...kept, ...reasoned, ended_at: context.now, expires_at }, state, why, context);
}

function beginTry(task: Task, max_tries: number, why: string, context: TransitionContext): Task {
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
    asked: _a,
    ...kept
  } = task;
  const deadline = deadlineOf(task.exec, context.now);
  const next: Task = {
    ...kept,
    ...(isExternal(task) ? { wake_at: deadline + 1 } : {}),
    try_number: task.try_number + 1,
    max_tries,
    started_at: context.now,
    deadline,
  };
  return step(next, stateAfterSubmit(task), why, context);
}

function start(task: Task, owner: Owner | undefined, context: TransitionContext): Task {
  if (owner === undefined) return step(task, 'running', 'start', context);
  const wake_at = Math.min(context.now + task.exec.heartbeat_timeout * 1000, task.deadline) + 1;
  return step({ ...task, owner, heartbeat_at: context.now, wake_at }, 'running', 'start', context);
}

function requeue(task: Task, why: string, context: TransitionContext): Task {
  const { owner: _o, heartbeat_at: _h, wake_at: _w, ...kept } = task;
  const wakes = isExternal(task) ? { wake_at: task.deadline + 1 } : {};
  return step({ ...kept, ...wakes }, 'queued', why, context);
}

function reschedule(task: Task, at: number, context: TransitionContext): Task {
  const { owner: _o, heartbeat_at: _h, ...kept } = task;
  return step({ ...kept, wake_at: at }, 'up_for_reschedule', 'reschedule', context);
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

function bounded(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  if (history.length <= HISTORY_LIMIT) return history;
  return [...history.slice(0, 1), ...history.slice(1 - HISTORY_LIMIT)];
}

function moved(task: Task): Transition {
  return { kind: 'moved', task };
}

function notApplicable(): Transition {
  return { kind: 'unchanged', why: 'not_applicable' };
}
