/**
 * The poke worker (DESIGN, section 5): one invocation is one run of one task that pokes for itself. In mode reschedule it
 * pokes once; in mode poke it stays, pokes and sleeps until the wait ends, and hands over before its own time is over.
 *
 *     queued --- start (lease) --> running --- poke, sleep, poke ---> its end
 *                                     |  renews its lease at half; a run that dies is missed when its lease is over
 *                                     '--- hands over to the next run of the same try: no try used, same deadline
 */
import { awaitsRun, isFirstRun, leaseUntil, startRun } from '../core/runs.ts';
import type { Task } from '../core/task.ts';
import { singleRun } from '../shard-worker/single-run.ts';
import type { PokeWorkerDeps } from './deps.ts';
import { pokeWorkerEvent } from './events.ts';
import type { PokeWorkerEvent } from './events.ts';
import { holdTask } from './hold.ts';
import { insist } from './insist.ts';

/** A run that cannot be started within so long is left to the next tick. */
const START_MS = 10_000;

/** @returns a function that takes the invocation's payload; a task that does not wait for this run is left alone. */
export function createPokeWorker(deps: PokeWorkerDeps): (payload: unknown) => Promise<void> {
  return async (payload) => runTask(deps, pokeWorkerEvent.parse(payload));
}

async function runTask(deps: PokeWorkerDeps, event: PokeWorkerEvent): Promise<void> {
  const { store, clock, settings } = deps;
  const task = await store.task(event.task_id);
  const now = clock.now();
  if (task === undefined || task.try_number !== event.try_number || !awaitsRun(task, now)) return;

  const queue = await queueOf(deps, task);
  // A run that is under way goes on; none begins.
  if (queue?.paused === true) return;

  const by = `worker:${deps.newId().slice(-8)}`;
  const endsAt = now + settings.poke_run_seconds * 1000;
  const held = startRun(task, leaseUntil(task, now, endsAt), { now, by });
  // A second delivery, a tick, a user: whoever is faster has it.
  if (!(await insist(deps, task, held, now + START_MS))) return;

  const run = singleRun(deps, task.queue, queue, event.booked);
  await holdTask(deps, run, held, { by, endsAt, first: isFirstRun(task), pokeAt: event.poke_at ?? now });
}

/** Without its queue's settings a run pokes by the defaults. */
async function queueOf({ store, log }: PokeWorkerDeps, { id, queue }: Task) {
  try {
    return await store.queue(queue);
  } catch (error) {
    log({ message: 'queue not read', queue, task: id, error: String(error) });
    return undefined;
  }
}
