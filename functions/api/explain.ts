/** `GET /v1/tasks/{id}/explain`: why a task still waits, and what comes next. */
import { nextDue } from '../core/cadence.ts';
import { taskSchedule } from '../core/runs.ts';
import { delayAfter } from '../core/steps.ts';
import { isTerminal, pokesForItself } from '../core/task.ts';
import type { Task } from '../core/task.ts';
import type { Target } from '../core/target.ts';
import type { Clock } from '../ports.ts';
import { sensorCatalog } from '../sensors/registry.ts';
import { scheduleOf } from '../shard-worker/schedule.ts';
import type { Store } from '../store/store.ts';
import type { Handler } from './http.ts';
import { iso } from './present.ts';
import { waitsOnTarget } from './targets.ts';
import { findTask, noTask } from './tasks.ts';

interface ExplainDeps {
  readonly store: Store;
  readonly clock: Clock;
}

export function createExplain({ store, clock }: ExplainDeps): Handler {
  return async ({ id }) => {
    const task = await findTask(store, id);
    if (task === undefined) return noTask();
    const now = clock.now();
    const wait = waitsOnTarget(task) ? await explainWait(store, task, now) : explainRun(task, now);
    return {
      status: 200,
      body: {
        id: task.id,
        state: task.state,
        summary: summarise(task, now),
        reason: task.reason,
        try_number: task.try_number,
        max_tries: task.max_tries,
        queue: task.queue,
        mode: task.mode,
        mode_reason: task.mode_reason,
        sensor: task.sensor,
        started_at: iso(task.started_at),
        deadline: iso(task.deadline),
        ended_at: task.ended_at === undefined ? undefined : iso(task.ended_at),
        owner: task.owner,
        heartbeat_at: task.heartbeat_at === undefined ? undefined : iso(task.heartbeat_at),
        cancel: task.cancel,
        ...wait,
        ...(task.state === 'up_for_retry' ? { retry: explainRetry(task) } : {}),
      },
    };
  };
}

/** What the shared target says: when it is poked, what it saw last, for how many tasks. */
async function explainWait(store: Store, task: Task, now: number) {
  const [target, members] = await Promise.all([store.target(task), store.members(task)]);
  return {
    next_poke: target === undefined ? null : nextPoke(target, now),
    last_observation: lastObservation(target),
    unknown_since: target?.first_unknown_at === undefined ? undefined : iso(target.first_unknown_at),
    target: {
      hashcode: task.hashcode,
      shardcode: task.shardcode,
      poke_interval: target?.poke_interval,
      exponential_backoff: target?.exponential,
      max_wait: target?.max_wait,
      /** How many tasks share the poke; the index may lag, and only its first page is counted. */
      tasks: members.tasks.length,
      more: members.next !== undefined,
    },
  };
}

/** A task that pokes for itself: when its next poke is due, and since when it has no answer. */
function explainRun(task: Task, now: number) {
  const waits = task.state === 'queued' || task.state === 'running' || task.state === 'up_for_reschedule';
  if (!pokesForItself(task) || !waits) return {};
  const due = nextDue(taskSchedule(task, sensorCatalog.notBeforeOf(task.sensor)), now);
  // What is queued, or late, is poked as soon as a worker has it.
  const next = task.state === 'running' ? due : Math.max(task.wake_at ?? now, now);
  return {
    next_poke: Number.isFinite(next) ? iso(next) : null,
    unknown_since: task.first_unknown_at === undefined ? undefined : iso(task.first_unknown_at),
  };
}

function nextPoke(target: Target, now: number): string | null {
  if (target.dormant !== undefined) return null;
  const due = nextDue(scheduleOf(sensorCatalog, target), now);
  return Number.isFinite(due) ? iso(due) : null;
}

function lastObservation(target: Target | undefined) {
  if (target?.observation === undefined) return null;
  const { at, ...observation } = target.observation;
  return { ...observation, at: iso(at) };
}

/** Durations in seconds; no cap where the delay is constant. */
function explainRetry(task: Task) {
  const { base, jitter, cap, delay } = delayAfter(task);
  const next_retry_at = task.next_retry_at === undefined ? null : iso(task.next_retry_at);
  return { base, jitter, cap: cap ?? null, delay, next_retry_at };
}

function summarise(task: Task, now: number): string {
  const { state } = task;
  if (isTerminal(state)) return `It has ended: ${state}${task.reason === undefined ? '' : ` (${task.reason})`}.`;
  const late = now > task.deadline ? ', which has passed: the next clean poke ends the wait' : '';
  const until = `until ${iso(task.deadline)}${late}`;
  switch (state) {
    case 'sensing':
    case 'deferred':
      return `Its condition is poked again and again ${until}.`;
    case 'queued':
      return `It waits for a worker to start it, ${until}.`;
    case 'running':
      return `A worker runs it, ${until}.`;
    case 'up_for_reschedule':
      return `Its worker asked to be called again later, ${until}.`;
    case 'up_for_retry':
      return `Its try ${task.try_number} failed (${task.reason ?? 'no reason given'}); the next one begins by itself.`;
  }
}
