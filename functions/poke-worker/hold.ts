/** What a run does while it holds its task: pokes, sleeps, renews its lease, ends, reschedules or hands over. */
import { nextDue } from '../core/cadence.ts';
import type { Schedule } from '../core/cadence.ts';
import { judge } from '../core/judge.ts';
import { leaseUntil, noteUnknown, renewalAt, taskSchedule } from '../core/runs.ts';
import { transition } from '../core/states.ts';
import type { TaskEvent } from '../core/states.ts';
import type { Task } from '../core/task.ts';
import { metricLine } from '../metrics.ts';
import { pokeAlone } from '../shard-worker/poke.ts';
import { isRemarkable, runMetrics } from '../shard-worker/run.ts';
import type { Run } from '../shard-worker/run.ts';
import { TableError } from '../store/table.ts';
import type { PokeWorkerDeps } from './deps.ts';
import { insist } from './insist.ts';

export interface Terms {
  /** Who runs it, for its history. */
  readonly by: string;
  /** When the run hands over at the latest, epoch ms. */
  readonly endsAt: number;
  /** When it pokes first, epoch ms. */
  readonly pokeAt: number;
  /** Nobody has run this try before. */
  readonly first: boolean;
}

/** A task in a run's hands. */
interface Held {
  /** As it stands in the table: written by this run, and fenced by its rev. */
  readonly stands: Task;
  /** With what the run knows besides: an infrastructure window that opened or closed. */
  readonly task: Task;
  /** When the lease is renewed, epoch ms. */
  readonly renewAt: number;
}

/** Resolves when the run has nothing more to do with the task: ended, put off, handed over, or no longer its own. */
export async function holdTask(deps: PokeWorkerDeps, run: Run, started: Task, terms: Terms): Promise<void> {
  const { clock, sensors, settings, log } = deps;
  const schedule = taskSchedule(started, sensors.notBeforeOf(started.sensor));
  let held: Held | undefined = heldSince(started, run.startedAt, terms);
  let due = terms.pokeAt;
  let first = terms.first;
  while (held !== undefined) {
    const now = clock.now();
    if (now >= terms.endsAt) {
      await handOver(deps, held, now, due, terms);
      held = undefined;
    } else if (due <= now) {
      held = await pokeTask(deps, run, held, schedule, { ...terms, first });
      first = false;
      due = nextDue(schedule, clock.now());
    } else if (held.renewAt <= now) {
      held = await renew(deps, held, now, terms);
    } else {
      await clock.sleep(Math.min(due, held.renewAt, terms.endsAt) - now);
    }
  }
  // In mode reschedule a run is one poke.
  if (started.mode !== 'poke' && !isRemarkable(run)) return;
  const now = clock.now();
  const { id, queue } = started;
  const fields = { message: 'run', task: id, ms: now - run.startedAt };
  log(metricLine(settings.metrics_namespace, { queue }, runMetrics(run), fields, now));
}

/** @returns undefined where the run is over with it. */
async function pokeTask(
  deps: PokeWorkerDeps,
  run: Run,
  held: Held,
  schedule: Schedule,
  terms: Terms,
): Promise<Held | undefined> {
  const { clock, settings } = deps;
  if (!terms.first && (await isLost(deps, held.stands))) return undefined;
  const observation = await pokeAlone(deps, run, {
    queue: held.task.queue,
    spec: held.task.sensor,
    first: terms.first,
  });
  const at = clock.now();
  const task = observation === undefined ? held.task : noteUnknown(held.task, observation, at);
  const window = task.first_unknown_at === undefined ? {} : { firstUnknownAt: task.first_unknown_at };
  const infraWindowMs = settings.infra_window_seconds * 1000;
  const verdict = observation && judge(task, observation, { at, infraWindowMs, ...window });
  // What found no room in the budget was not poked, and stays due: the next tick books its call.
  const event = verdict ?? putOff(task, observation === undefined ? at : nextDue(schedule, at));
  // The window is written along with what is written anyway, and otherwise remembered.
  if (event === undefined) return { ...held, task };
  await write(deps, { ...held, task }, event, at, terms);
  return undefined;
}

/** In mode reschedule nobody holds the task until its next poke. @param at when that is due, epoch ms */
function putOff({ mode }: Task, at: number): TaskEvent | undefined {
  return mode === 'reschedule' ? { type: 'reschedule', at } : undefined;
}

/** A user or another worker has taken the task: looked at before each poke, for an idle poke writes nothing. */
async function isLost({ store, log }: PokeWorkerDeps, { id, rev }: Task): Promise<boolean> {
  try {
    return (await store.task(id))?.rev !== rev;
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    log({ message: 'task not read', task: id, error: error.message });
    return false;
  }
}

async function renew(deps: PokeWorkerDeps, held: Held, now: number, terms: Terms): Promise<Held | undefined> {
  const { stands, task } = held;
  const wake_at = leaseUntil(task, now, terms.endsAt);
  const renewed = { ...task, rev: task.rev + 1, wake_at };
  return (await insist(deps, stands, renewed, leaseOf(stands))) ? heldSince(renewed, now, terms) : undefined;
}

function heldSince(task: Task, takenAt: number, { endsAt }: Terms): Held {
  return { stands: task, task, renewAt: renewalAt(takenAt, leaseOf(task), endsAt) };
}

/** When our lease ends, epoch ms: from then on the task may be anybody's. */
function leaseOf({ wake_at }: Task): number {
  return wake_at ?? 0;
}

/** The task is queued, for a tick that finds it, and its next run is asked for at once. */
async function handOver(deps: PokeWorkerDeps, held: Held, now: number, due: number, terms: Terms): Promise<void> {
  if (!(await write(deps, held, { type: 'hand_over' }, now, terms))) return;
  const { id, try_number } = held.task;
  try {
    await deps.runs.invoke({ kind: 'run', task_id: id, try_number, poke_at: due });
  } catch (error) {
    deps.log({ message: 'run not handed over', task: id, error: String(error) });
  }
}

/** @returns whether the transition was written; false: the task is not ours any more. */
async function write(
  deps: PokeWorkerDeps,
  { stands, task }: Held,
  event: TaskEvent,
  at: number,
  { by }: Terms,
): Promise<boolean> {
  const outcome = transition(task, event, { now: at, by });
  return outcome.kind === 'moved' && (await insist(deps, stands, outcome.task, leaseOf(stands)));
}
