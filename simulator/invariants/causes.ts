/** Every transition has a cause that really was: the world's, the clock's, a user's, the try's own worker's. */
import { TRY_ID } from '../../functions/api/schemas/fields.ts';
import { isEligible } from '../../functions/core/retry.ts';
import { endsByExecutionTimeout } from '../../functions/core/states.ts';
import { isExternal, isTerminal, pokesForItself } from '../../functions/core/task.ts';
import type { HistoryEntry, Task } from '../../functions/core/task.ts';
import type { Observation } from '../../functions/core/observation.ts';
import { sensorCatalog } from '../../functions/sensors/registry.ts';
import type { SensorSpec } from '../../functions/core/task.ts';
import type { Invariant, Watch } from './invariant.ts';

/** A worker may act on what it has read for as long as it lives. */
const STALE_MS = 60_000;

/** A run insists on what it has seen for longer: nobody else does anything about its task. */
const INSIST_MS = 300_000;

/** An AWS call takes a moment, and an answer is of its beginning. */
const CALL_MS = 200;

export function causes(watch: Watch): Invariant {
  const { fail, truth, settings, now } = watch;
  const tolerance = watch.calm.skewMs + CALL_MS;
  const poked = new Map<string, { at: number; kind: Observation['kind'] }[]>();
  const clears = new Map<string, number>();
  /** Which tries workers have spoken of, by task: 0 is "the current one". */
  const spoken = new Map<string, Set<number>>();

  /** Whether a poke of this gave a clean answer in [from, to]. */
  function cleanPoke(spec: SensorSpec, from: number, to: number): boolean {
    const all = poked.get(JSON.stringify(spec)) ?? [];
    return all.some(({ at, kind }) => kind !== 'unknown' && at >= from && at <= to);
  }

  function move(before: Task, after: Task, entry: HistoryEntry): void {
    if (entry.by.startsWith('user:')) return byUser(before, after);
    if (isTerminal(before.state))
      return fail(`task ${after.id}: ${before.state} was overwritten with ${after.state} by ${entry.by}`);
    if (entry.by.startsWith('worker:') && isExternal(after)) return byWorker(before, after);
    return byService(before, after);
  }

  function byUser(before: Task, after: Task): void {
    if (after.try_number === before.try_number) return;
    const left = (clears.get(after.id) ?? 0) - 1;
    clears.set(after.id, left);
    // Where its answer was lost and somebody wrote before the client could repeat it, nothing tells that it was made.
    const repeated = before.history.at(-1)?.why.startsWith('clear') === true;
    if (left < 0 && repeated) fail(`task ${after.id}: cleared more often than anybody asked for`);
    if (after.try_number !== before.try_number + 1)
      fail(`task ${after.id}: a clear leads from try ${before.try_number} to ${after.try_number}`);
    if (after.max_tries !== before.try_number + after.exec.retries)
      fail(`task ${after.id}: a clear leaves max_tries ${after.max_tries}`);
  }

  function byWorker(before: Task, after: Task): void {
    if (after.try_number !== before.try_number) return fail(`task ${after.id}: a worker began a try`);
    const tries = spoken.get(after.id);
    if (tries?.has(0) !== true && tries?.has(after.try_number) !== true) {
      fail(`task ${after.id}: no worker has spoken of try ${after.try_number}, and it is ${after.state}`);
    }
  }

  function byService(before: Task, after: Task): void {
    const { id, started_at, try_number } = after;
    if (try_number !== before.try_number) {
      if (before.state !== 'up_for_retry') fail(`task ${id}: try ${try_number} followed on ${before.state}`);
      if (try_number !== before.try_number + 1 || after.max_tries !== before.max_tries)
        fail(`task ${id}: not the next try: ${before.try_number}, ${try_number}`);
      if (try_number > after.max_tries + 1) fail(`task ${id}: try ${try_number} of at most ${after.max_tries + 1}`);
      if (now() + tolerance <= (before.next_retry_at ?? 0))
        fail(`task ${id}: try ${try_number} came ${(before.next_retry_at ?? 0) - now()} ms early`);
      return;
    }
    const spec = isExternal(after) ? sensorCatalog.watchedBy(after.sensor) : after.sensor;
    const [from, to] = [started_at - tolerance, now() + tolerance];
    switch (after.state) {
      case 'success':
        if (spec === undefined || !truth.could('met', spec, from, to))
          fail(`task ${id}: success, and it was never met in try ${try_number}`);
        return;
      case 'failed':
      case 'skipped':
      case 'up_for_retry':
        ended(before, after, spec);
        if (after.state !== verdict(before, after))
          fail(`task ${id}: ${after.state} after ${after.reason}, by its rules ${verdict(before, after)}`);
        return;
      case 'queued':
      case 'up_for_reschedule':
        if (!isExternal(after) && !pokesForItself(after)) fail(`task ${id}: ${after.state}, though it is poked`);
        return;
      case 'running':
        if (!pokesForItself(after)) fail(`task ${id}: runs, and no worker has taken it`);
        return;
      case 'sensing':
      case 'deferred':
      case 'removed':
        fail(`task ${id}: ${before.state} became ${after.state} by itself`);
    }
  }

  /** The try ended badly: because of a deadline, a silence, an outage or what the outside said. */
  function ended(before: Task, after: Task, spec: SensorSpec | undefined): void {
    const { id, reason = '', started_at, exec } = after;
    const at = after.ended_at ?? 0;
    if (Math.abs(at - now()) > (pokesForItself(after) ? INSIST_MS : STALE_MS) + tolerance)
      fail(`task ${id}: ended at ${at - now()} ms from now`);
    if (reason === 'timeout' || reason === 'execution_timeout') {
      if (at <= before.deadline || now() + tolerance <= before.deadline)
        fail(`task ${id}: ${reason} before its deadline`);
      if ((reason === 'execution_timeout') !== endsByExecutionTimeout(exec))
        fail(`task ${id}: ${reason}, but its other limit is nearer`);
      if (spec !== undefined && !cleanPoke(spec, before.deadline - tolerance, now()))
        fail(`task ${id}: ${reason} without a clean poke after its deadline`);
      return;
    }
    if (reason === 'heartbeat lost') {
      const beat = (before.heartbeat_at ?? Infinity) + exec.heartbeat_timeout * 1000;
      if (before.state !== 'running' || now() + tolerance < beat)
        fail(`task ${id}: its heartbeat is not lost (${before.state})`);
      return;
    }
    if (spec === undefined) return fail(`task ${id}: failed by itself: ${reason}`);
    if (reason.startsWith('no answer for more than')) {
      const opened = Math.max(now() - settings.infra_window_seconds * 1000, started_at);
      if (now() - started_at + tolerance < settings.infra_window_seconds * 1000)
        fail(`task ${id}: failed inside its infrastructure window`);
      if (isAlone(after) && cleanPoke(spec, opened + STALE_MS + tolerance, now() - STALE_MS - tolerance))
        fail(`task ${id}: failed for want of answers, and there were some`);
      return;
    }
    const [from, to] = [started_at - tolerance, now() + tolerance];
    const isTrue = truth.could('failed', spec, from, to) || (!exec.silent_fail && truth.could('error', spec, from, to));
    if (!isTrue) fail(`task ${id}: a try was used up by what never was: ${reason}`);
  }

  /** Whether all pokes of what it waits for are its own, or its target's: nobody waits for the same in another way. */
  function isAlone({ id, queue, mode, sensor }: Task): boolean {
    const text = JSON.stringify(sensor);
    return [...watch.mirror.tasks.values()].every((other) => {
      if (other.id === id || JSON.stringify(other.sensor) !== text)
        return JSON.stringify(other.sensor['watches']) !== text;
      return other.queue === queue && other.mode === mode && !pokesForItself(other);
    });
  }

  /** What the rules say of a try that the service ended badly. */
  function verdict(before: Task, { exec, reason }: Task): Task['state'] {
    if (exec.never_fail) return 'skipped';
    if (reason !== 'timeout') return isEligible(before) ? 'up_for_retry' : 'failed';
    if (exec.retry_on_timeout && isEligible(before)) return 'up_for_retry';
    return exec.soft_fail ? 'skipped' : 'failed';
  }

  return {
    name: 'causes',
    task({ before, after }) {
      if (before === undefined || after === undefined) return;
      const entry = after.history.at(-1);
      const known = before.history.at(-1);
      if (
        entry === undefined ||
        (entry.at === known?.at && entry.to === known.to && entry.why === known.why && before.state === after.state)
      )
        return;
      move(before, after, entry);
    },
    poke({ spec, observation }) {
      if (observation.kind === 'unknown' && observation.reason.includes('no room for')) return;
      const key = JSON.stringify(spec);
      const all = poked.get(key) ?? [];
      all.push({ at: now(), kind: observation.kind });
      poked.set(key, all);
    },
    asked({ resource, id, body }) {
      if (resource.endsWith('/clear')) clears.set(id, (clears.get(id) ?? 0) + 1);
      if (!resource.startsWith('/execution')) return;
      const [, task = '', number] = TRY_ID.exec(id) ?? [];
      const inBody = typeof body === 'object' && body !== null && 'try_number' in body ? body.try_number : undefined;
      spoken.set(task, (spoken.get(task) ?? new Set()).add(Number(number ?? inBody ?? 0)));
    },
  };
}
