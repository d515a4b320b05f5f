/** First runs: a task that pokes for itself and has just begun a try is started at once, as far as its queue has room. */
import type { WorkerDeps } from './deps.ts';
import type { FirstRunsEvent } from './events.ts';
import { claimStarts, startRuns } from './start-runs.ts';

/** Starts what finds room; the rest stays queued and is started by the ticks, the nearest deadline first. */
export async function runFirstRuns(deps: WorkerDeps, { queue, tasks }: FirstRunsEvent): Promise<void> {
  const starts = await claimStarts(deps, queue, tasks.length);
  const started = await startRuns(deps, tasks.slice(0, starts));
  deps.log({ message: 'first runs', queue, wanted: tasks.length, started });
}
