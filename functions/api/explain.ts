/** `GET /v1/tasks/{id}/explain`: why a task still waits, and what comes next. */
import type { Schedule } from '../core/cadence.ts';
import { explainDue } from '../core/due-rule.ts';
import type { DueRule } from '../core/due-rule.ts';
import { taskSchedule } from '../core/runs.ts';
import { delayAfter } from '../core/steps.ts';
import { isTerminal, pokesForItself } from '../core/task.ts';
import type { Task } from '../core/task.ts';
import type { Target } from '../core/target.ts';
import type { Clock } from '../ports.ts';
import { sensorCatalog } from '../sensors/registry.ts';
import { scheduleOf } from '../shard-worker/schedule.ts';
import type { Store } from '../store/store.ts';
import { costOf } from './explain-cost.ts';
import { lastPokeOf, shardOfTarget, shortageOf } from './explain-pokes.ts';
import type { ShardSettings } from './explain-pokes.ts';
import type { Handler } from './http.ts';
import { iso } from './present.ts';
import { waitsOnTarget } from './targets.ts';
import { findTask, noTask } from './tasks.ts';

interface ExplainDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: ShardSettings;
}

export function createExplain(deps: ExplainDeps): Handler {
  const { store, clock } = deps;
  return async (request) => {
    const task = await findTask(store, request);
    if (task === undefined) return noTask();
    const now = clock.now();
    const queue = await store.queue(task.queue);
    const { sharedBy, ...wait } = waitsOnTarget(task) ? await explainWait(deps, task, now) : explainRun(task, now);
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
        limited_by: isTerminal(task.state) || queue?.decision?.short === undefined ? undefined : queue.decision.reason,
        ...wait,
        cost: costOf(task, sharedBy, now),
        ...(task.state === 'up_for_retry' ? { retry: explainRetry(task) } : {}),
        ...(await explainUntold(store, task)),
      },
    };
  };
}

/** What the shared target says: when it is poked, what it saw last, for how many tasks. */
async function explainWait({ store, settings }: ExplainDeps, task: Task, now: number) {
  const [target, members] = await Promise.all([store.target(task), store.members(task)]);
  const polled = target === undefined ? {} : await pokesOf({ store, settings }, target, now);
  return {
    sharedBy: members.tasks.length,
    ...(target === undefined ? { next_poke: null } : nextPoke(target, now)),
    last_observation: lastObservation(target, polled.last_poke?.at),
    ...polled,
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
  if (!pokesForItself(task) || !waits) return { sharedBy: 1 };
  const due = dueAfter(taskSchedule(task, sensorCatalog.notBeforeOf(task.sensor)), now);
  return {
    sharedBy: 1,
    // What is queued, or late, is poked as soon as a worker has it.
    ...(task.state === 'running' ? due : { next_poke: iso(Math.max(task.wake_at ?? now, now)) }),
    unknown_since: task.first_unknown_at === undefined ? undefined : iso(task.first_unknown_at),
  };
}

function nextPoke(target: Target, now: number) {
  return target.dormant === undefined ? dueAfter(scheduleOf(sensorCatalog, target), now) : { next_poke: null };
}

/** When the next poke is, and by which rule. */
function dueAfter(schedule: Schedule, now: number) {
  const { dueMs, how } = explainDue(schedule, now);
  return Number.isFinite(dueMs) ? { next_poke: iso(dueMs), next_poke_rule: presentRule(how) } : { next_poke: null };
}

function presentRule(how: DueRule) {
  return how.rule === 'not_before' ? { ...how, at: iso(how.at) } : how;
}

/** Of a target that the ticks poke: what follows from the records of its queue. */
async function pokesOf({ store, settings }: Pick<ExplainDeps, 'store' | 'settings'>, target: Target, now: number) {
  if (target.mode !== 'smart') return {};
  const [records, queue] = await Promise.all([store.shards(target.queue), store.queue(target.queue)]);
  const record = shardOfTarget(target, records, settings);
  const last = lastPokeOf(target, scheduleOf(sensorCatalog, target), record, now);
  return {
    last_poke: last === undefined ? undefined : { at: iso(last), estimated: true as const },
    short_of_calls: shortageOf(target, records, queue, settings, now),
  };
}

/** What was seen last, as far as it changed. That nothing was there yet is what is expected of a wait: it is not written. */
function lastObservation(target: Target | undefined, lastPoke: string | undefined) {
  if (target?.observation === undefined) {
    return lastPoke === undefined ? null : { kind: 'not_met' as const, at: lastPoke, estimated: true as const };
  }
  const { at, ...observation } = target.observation;
  return { ...observation, at: iso(at) };
}

/** Durations in seconds; no cap where the delay is constant. */
function explainRetry(task: Task) {
  const { base, jitter, cap, delay } = delayAfter(task);
  const next_retry_at = task.next_retry_at === undefined ? null : iso(task.next_retry_at);
  return { base, jitter, cap: cap ?? null, delay, next_retry_at };
}

/** Who has still to be told of its state: an end, or that a try has failed. */
async function explainUntold(store: Store, task: Task) {
  if (!isTerminal(task.state) && task.state !== 'up_for_retry') return {};
  const marks = await store.untoldOf(task);
  if (marks.length === 0) return {};
  const untold = marks.map(({ receiver, since, tries, why, wake_at }) => {
    return { receiver, since: iso(since), tries, why, next_try_at: iso(wake_at) };
  });
  return { untold };
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
