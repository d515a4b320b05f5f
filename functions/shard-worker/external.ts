/**
 * Outside work whose time has come: a deadline that passed, a heartbeat that is missing (DESIGN, section 4).
 * Where the task names what it watches, that is asked first; nothing outside is ever ended or cancelled.
 */
import { judge } from '../core/judge.ts';
import type { Observation } from '../core/observation.ts';
import { noteUnknown } from '../core/runs.ts';
import type { TaskEvent } from '../core/states.ts';
import type { Task } from '../core/task.ts';
import { TableError } from '../store/table.ts';
import type { WorkerDeps } from './deps.ts';
import { moveAll } from './fan-out.ts';
import { pokeAlone } from './poke.ts';
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
  const isOver = now > task.deadline;
  if (task.state === 'up_for_retry' || (task.state === 'up_for_reschedule' && !isOver)) {
    const type = task.state === 'up_for_retry' ? 'retry_due' : 'reschedule_due';
    await write(deps, run, task, () => ({ type }), now);
    return;
  }
  const lost = heartbeatLost(task, now);
  if (!isOver && !lost) {
    // Its worker is alive: nobody has to be asked, and a window that was open is closed.
    await wakeLater(deps, task, noteUnknown(task, { kind: 'not_met' }, now), now);
    return;
  }
  const observation = await observeOutside(deps, run, task);
  const at = clock.now();
  const noted = observation === undefined ? task : noteUnknown(task, observation, at);
  const window = noted.first_unknown_at === undefined ? {} : { firstUnknownAt: noted.first_unknown_at };
  const infraWindowMs = settings.infra_window_seconds * 1000;
  const verdict = observation && judge(task, observation, { at, infraWindowMs, ...window });
  const event = verdict ?? unwatched(task, lost);
  if (event === undefined) {
    await wakeLater(deps, task, noted, at);
    return;
  }
  // What changed meanwhile (a beat, a clear, its own end) was not judged: it is looked at again in the next tick.
  const decide = ({ rev }: Task): TaskEvent | undefined => (rev === task.rev ? event : undefined);
  await write(deps, run, task, decide, at);
}

/** @throws where the table has not taken it: the task stays due. */
async function write(
  { store }: WorkerDeps,
  run: Run,
  task: Task,
  decide: (task: Task) => TaskEvent | undefined,
  now: number,
): Promise<void> {
  const { moved, failed } = await moveAll(store, [task], decide, { now, by: 'service' });
  run.counts.ended += moved;
  if (failed > 0) throw new TableError(`${task.id}: its transition was not written`);
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

/**
 * What the outside says of the work; of work that names nothing: nothing has come (a clean "not met"). Undefined where the
 * budget had no room to ask.
 */
async function observeOutside(deps: WorkerDeps, run: Run, task: Task): Promise<Observation | undefined> {
  const watched = deps.sensors.watchedBy(task.sensor);
  return watched === undefined
    ? { kind: 'not_met' }
    : pokeAlone(deps, run, { queue: task.queue, spec: watched, first: false });
}

/**
 * Not over yet: look again when it may be, or, where the outside is asked already, an interval later. Not a transition, but
 * a guarded write like one.
 */
async function wakeLater({ store, settings }: WorkerDeps, seen: Task, noted: Task, now: number): Promise<void> {
  const ends = [noted.deadline, heartbeatEnd(noted)].filter((at) => at >= now).map((at) => at + 1);
  const soon = now + Math.max(settings.tick_seconds, noted.exec.poke_interval) * 1000;
  const wake_at = ends.length === 2 ? Math.min(...ends) : Math.min(soon, ...ends.filter(Number.isFinite));
  await store.move(seen, { ...noted, rev: seen.rev + 1, wake_at });
}
