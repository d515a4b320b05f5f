/**
 * Outside work whose time has come: a deadline that passed, a heartbeat that is missing (DESIGN, section 4).
 * Where the task names what it watches, that is asked first; nothing outside is ever ended or cancelled.
 */
import { judge } from '../core/judge.ts';
import type { Observation } from '../core/observation.ts';
import type { TaskEvent } from '../core/states.ts';
import type { Task } from '../core/task.ts';
import type { WorkerDeps } from './deps.ts';
import { moveAll } from './fan-out.ts';
import type { Run } from './run.ts';

/**
 * Looks at one external task that is due (wake_at has come).
 * @param listed the task as the index shows it; the index may lag, and a worker's beat is a write of its own
 */
export async function judgeExternal(deps: WorkerDeps, run: Run, listed: Task): Promise<void> {
  const { store, clock, settings } = deps;
  const task = await store.task(listed.id);
  const now = clock.now();
  if (task?.wake_at === undefined || task.wake_at > now) return;
  const context = { now, by: 'service' };
  if (task.state === 'up_for_retry' || task.state === 'up_for_reschedule') {
    const type = task.state === 'up_for_retry' ? 'retry_due' : 'reschedule_due';
    run.counts.ended += (await moveAll(store, [task], () => ({ type }), context)).moved;
    return;
  }
  const lost = heartbeatLost(task, now);
  if (now <= task.deadline && !lost) {
    await wakeLater(deps, task, now);
    return;
  }
  const observation = await observeOutside(deps, run, task);
  const infraWindowMs = settings.infra_window_seconds * 1000;
  // The window of a task that asks for itself opens when it had to ask first.
  const firstUnknownAt = Math.min(task.deadline, heartbeatEnd(task));
  const event = judge(task, observation, { at: now, firstUnknownAt, infraWindowMs }) ?? unwatched(task, lost);
  if (event === undefined) {
    await wakeLater(deps, task, now);
    return;
  }
  // What changed meanwhile (a beat, a clear, its own end) was not judged: it is looked at again in the next tick.
  const decide = ({ rev }: Task): TaskEvent | undefined => (rev === task.rev ? event : undefined);
  run.counts.ended += (await moveAll(store, [task], decide, context)).moved;
}

/** A task that names nothing is judged by the retry rules at once. */
function unwatched(task: Task, lost: boolean): TaskEvent | undefined {
  return lost && task.sensor['watches'] === undefined ? { type: 'failed', reason: 'heartbeat lost' } : undefined;
}

function heartbeatEnd({ state, heartbeat_at, exec }: Task): number {
  if (state !== 'running' || heartbeat_at === undefined) return Number.POSITIVE_INFINITY;
  return heartbeat_at + exec.heartbeat_timeout * 1000;
}

function heartbeatLost(task: Task, now: number): boolean {
  return now > heartbeatEnd(task);
}

/** What the outside says of the work; of work that names nothing: nothing has come (a clean "not met"). */
async function observeOutside({ sensors }: WorkerDeps, run: Run, task: Task): Promise<Observation> {
  const watched = sensors.watchedBy(task.sensor);
  if (watched === undefined) return { kind: 'not_met' };
  run.counts.pokes += 1;
  const [observation] = await sensors.poke([{ spec: watched, first: false }], run.io);
  return observation ?? { kind: 'unknown', reason: 'the sensor gave no observation' };
}

/** Not over yet: look again when it may be. Not a transition, but a guarded write like one. */
async function wakeLater({ store, settings }: WorkerDeps, task: Task, now: number): Promise<void> {
  const soon = now + settings.tick_seconds * 1000;
  const ends = [task.deadline, heartbeatEnd(task)].filter((at) => at >= now);
  const wake_at = ends.length === 2 ? Math.min(...ends) + 1 : soon;
  await store.move(task, { ...task, rev: task.rev + 1, wake_at });
}
