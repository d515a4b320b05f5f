import { judge } from '../core/judge.ts';
import { isFirstRun, noteUnknown } from '../core/runs.ts';
import { transition } from '../core/states.ts';
import type { Task } from '../core/task.ts';
import type { WorkerDeps } from './deps.ts';
import { pokeAlone } from './poke.ts';
import type { Run } from './run.ts';

/**
 * Ends a task that pokes for itself, is past its deadline and finds no slot for a run: where runs hold all of them for days
 * it would wait as long. One poke decides, as everywhere.
 */
export async function judgeOverdue(deps: WorkerDeps, run: Run, task: Task): Promise<void> {
  const { store, clock, settings } = deps;
  const observation = await pokeAlone(deps, run, { queue: task.queue, spec: task.sensor, first: isFirstRun(task) });
  if (observation === undefined) return;
  const at = clock.now();
  const noted = noteUnknown(task, observation, at);
  const window = noted.first_unknown_at === undefined ? {} : { firstUnknownAt: noted.first_unknown_at };
  const event = judge(noted, observation, { at, infraWindowMs: settings.infra_window_seconds * 1000, ...window });
  const outcome = event && transition(noted, event, { now: at, by: 'service' });
  if (outcome?.kind === 'moved') {
    const answer = await store.move(task, outcome.task);
    if (answer.moved) run.counts.ended += 1;
  } else if (noted.first_unknown_at !== task.first_unknown_at) {
    await store.move(task, { ...noted, rev: task.rev + 1 });
  }
}
