import type { WorkerDeps } from './deps.ts';
import { workerEvent } from './events.ts';
import { runFirstPokes } from './first-pokes.ts';
import { runFirstRuns } from './first-runs.ts';
import { sweepQueue } from './sweep.ts';
import { runTick } from './tick.ts';

/**
 * The shard worker: one invocation is one tick of some shards, a round of first pokes or runs, or an hourly sweep.
 * @returns a function that takes the invocation's payload; it rejects on a payload that is none of these
 */
export function createShardWorker(deps: WorkerDeps): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const event = workerEvent.parse(payload);
    switch (event.kind) {
      case 'tick':
        return runTick(deps, event);
      case 'first_pokes':
        return runFirstPokes(deps, event);
      case 'first_runs':
        return runFirstRuns(deps, event);
      case 'sweep':
        await sweepQueue(deps, event.queue);
        return undefined;
    }
  };
}
