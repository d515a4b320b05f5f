/** What has to happen does: once the faults are over every wait ends in its time, and what is true is seen. */
import { sensorCatalog } from '../../functions/sensors/registry.ts';
import { isExternal, pokesForItself } from '../../functions/core/task.ts';
import type { Task } from '../../functions/core/task.ts';
import { hasSmallRates } from './invariant.ts';
import type { Invariant, Watch } from './invariant.ts';
import { waits } from './mirror.ts';

const MINUTE_MS = 60_000;

/** From what is due to its end, once all is calm. */
const SLACK_MS = 5 * MINUTE_MS;

/** A rate that was throttled down to its floor needs so long to be itself again. */
const RECOVERY_MS = 15 * MINUTE_MS;

/** A small rate of its own makes everything of a queue as late as that. */
const SMALL_RATE_MS = 40 * MINUTE_MS;

/** Executions are looked for on every full five minutes. */
const WATCHDOG_MS = 6 * MINUTE_MS;

/** A run's lease holds so long, at the least. */
const LEASE_MS = 3 * MINUTE_MS;

/** "In about a second", with the stream, two invocations and the calls in between. */
const FIRST_POKE_MS = 5000;

export function liveness(watch: Watch): Invariant {
  const { fail, now, calm, mirror, truth, scenario } = watch;

  function rateSlack(task: Task): number {
    const { queue, sensor } = task;
    const spec = isExternal({ sensor }) ? sensorCatalog.watchedBy(sensor) : sensor;
    const small = hasSmallRates(watch, queue) && spec?.type === 's3_key' ? SMALL_RATE_MS : 0;
    return small + (spec?.type.startsWith('emr') === true ? RECOVERY_MS : 0) + modeSlack(task);
  }

  /** A wait whose execution is gone is found by the watchdog, a run that died when its lease is over. */
  function modeSlack({ mode, exec }: Task): number {
    if (mode === 'deferrable') return WATCHDOG_MS;
    return mode === 'smart' ? 0 : Math.max(LEASE_MS, mode === 'poke' ? 3000 * exec.poke_interval : 0);
  }

  /** By when the task must have moved on from where it is. */
  function bound(task: Task): number {
    const { state, wake_at = Infinity, deadline, heartbeat_at = Infinity, exec, sensor } = task;
    if (state === 'up_for_retry') return wake_at;
    if (state === 'up_for_reschedule') return Math.min(wake_at, deadline);
    if (state !== 'running' || sensor['watches'] !== undefined) return deadline;
    return Math.min(heartbeat_at + exec.heartbeat_timeout * 1000, deadline);
  }

  function seen(task: Task): void {
    const since = truth.metSince(task.sensor, now());
    if (since === undefined || task.state === 'up_for_retry') return;
    // Where a queue of its own has room for few runs, whoever waits for one may have to wait long.
    if (pokesForItself(task) && scenario.queues[task.queue] !== undefined) return;
    const { exec, first_poke, started_at, id, mode } = task;
    if (
      calm.always &&
      mode === 'smart' &&
      first_poke === true &&
      since <= started_at &&
      now() > started_at + FIRST_POKE_MS &&
      rateSlack(task) === 0
    ) {
      fail(`task ${id}: it was met when it was submitted, and no first poke came`);
    }
    const every = exec.exponential_backoff ? exec.max_wait : exec.poke_interval;
    if (every === undefined) return;
    const from = Math.max(since, started_at, calm.from);
    const late = now() - (from + every * 1000 + SLACK_MS + rateSlack(task));
    if (late > 0) fail(`task ${id}: met for ${(now() - since) / 1000} s, and nobody has seen it`);
  }

  return {
    name: 'liveness',
    minute() {
      for (const task of mirror.active.values()) {
        if (waits(task) || pokesForItself(task)) seen(task);
        const late = now() - (Math.max(bound(task), calm.from) + SLACK_MS + rateSlack(task));
        if (late > 0) fail(`task ${task.id}: ${task.state}, and overdue for ${(late + SLACK_MS) / 1000} s`);
      }
    },
    quiet: () => mirror.active.size === 0,
  };
}
