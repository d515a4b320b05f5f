/**
 * The state machine (DESIGN, section 4): `transition` decides the next record of a task, and nothing else does.
 * It is pure; the store writes its result IF the rev is still the one that was seen.
 */
import { isEligible } from './retry.ts';
import {
  beginTry,
  deadlineOf,
  end,
  remove,
  requeue,
  reschedule,
  start,
  stateAfterSubmit,
  succeed,
  upForRetry,
  wakeOf,
} from './steps.ts';
import type { TransitionContext } from './steps.ts';
import { isTerminal } from './task.ts';
import type { Owner, Task } from './task.ts';

export type TaskEvent =
  /** A worker takes a queued task. */
  | { readonly type: 'start'; readonly owner?: Owner; readonly leaseUntil?: number }
  /** Our own worker died: the same try again, no try used. */
  | { readonly type: 'lease_expired' }
  /** Our own worker's time is over: the next one goes on with the same try. */
  | { readonly type: 'hand_over' }
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

export type Transition =
  | { readonly kind: 'moved'; readonly task: Task }
  /** terminal: it has ended; not_applicable: the event means nothing in this state; same: a mark it already carries. */
  | { readonly kind: 'unchanged'; readonly why: 'terminal' | 'not_applicable' | 'same' };

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
  return {
    ...fields,
    ...wakeOf(fields, deadline, now),
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

/** @returns whether the deadline of a task is its execution_timeout (a failure) and not its timeout. */
export function endsByExecutionTimeout(exec: Pick<Task['exec'], 'timeout' | 'execution_timeout'>): boolean {
  return exec.execution_timeout !== undefined && exec.execution_timeout < exec.timeout;
}

/**
 * Decides what an event does to a task.
 * @returns the next record (rev + 1), or why nothing changes. Never throws on an event that does not apply.
 */
export function transition(task: Task, event: TaskEvent, context: TransitionContext): Transition {
  if (!isUsers(event)) {
    return isTerminal(task.state) ? { kind: 'unchanged', why: 'terminal' } : whileActive(task, event, context);
  }
  switch (event.type) {
    case 'clear':
      return moved(beginTry(task, task.try_number + task.exec.retries, 'clear', context));
    case 'mark':
      if (task.state === event.state) return { kind: 'unchanged', why: 'same' };
      return moved(end(task, event.state, `marked ${event.state}`, 'mark', context));
    case 'remove':
      if (task.state === 'removed') return { kind: 'unchanged', why: 'same' };
      return moved(remove(task, context));
  }
}

/** What a user does to a task, in any state. */
type UserEvent = Extract<TaskEvent, { type: 'clear' | 'mark' | 'remove' }>;
type ActiveEvent = Exclude<TaskEvent, UserEvent>;

function isUsers(event: TaskEvent): event is UserEvent {
  return event.type === 'clear' || event.type === 'mark' || event.type === 'remove';
}

function whileActive(task: Task, event: ActiveEvent, context: TransitionContext): Transition {
  switch (event.type) {
    case 'retry_due':
      return task.state === 'up_for_retry' && context.now > (task.next_retry_at ?? 0)
        ? moved(beginTry(task, task.max_tries, 'retry', context))
        : notApplicable();
    case 'start':
      return task.state === 'queued' ? moved(start(task, event, context)) : notApplicable();
    case 'lease_expired':
      return task.state === 'running' ? moved(requeue(task, 'lease expired', context)) : notApplicable();
    case 'hand_over':
      return task.state === 'running' ? moved(requeue(task, 'handed over', context)) : notApplicable();
    case 'reschedule_due':
      return task.state === 'up_for_reschedule' && context.now >= (task.wake_at ?? 0)
        ? moved(requeue(task, 'reschedule due', context))
        : notApplicable();
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

function moved(task: Task): Transition {
  return { kind: 'moved', task };
}

function notApplicable(): Transition {
  return { kind: 'unchanged', why: 'not_applicable' };
}
