/** Seeds over threads: one for each core. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Violation } from '../watched-run.ts';

/** What a thread is asked: a seed, and a planted fault if there is one. */
export interface Job {
  readonly seed: number;
  readonly mutant?: string;
}

export interface Done extends Job {
  readonly violation?: Violation;
  /** Virtual seconds that it took. */
  readonly seconds: number;
}

/** A thread is asked for so many at a time. */
const AT_ONCE = 8;

/**
 * Runs jobs until there are no more.
 * @param next the next job, or undefined: no more
 * @param done told of each; in the order in which they end
 */
export async function runJobs(next: () => Job | undefined, done: (job: Done) => void): Promise<void> {
  const thread = (): Promise<void> =>
    new Promise((resolve, reject) => {
      // Node itself takes the types away: what a loader makes of closures, for their names, costs as much as the run.
      const worker = new Worker(new URL('thread.ts', import.meta.url), {
        execArgv: [],
        // What a run leaves behind is young when it is over: room for it, and nothing has to be moved.
        resourceLimits: { maxYoungGenerationSizeMb: 64 },
      });
      let open = 0;
      const feed = (): void => {
        while (open < AT_ONCE) {
          const job = next();
          if (job === undefined) break;
          open += 1;
          worker.postMessage(job, []);
        }
        if (open === 0) void worker.terminate();
      };
      worker.on('message', (job: Done) => {
        open -= 1;
        done(job);
        feed();
      });
      worker.on('error', reject);
      worker.on('exit', () => resolve());
      feed();
    });
  await Promise.all(Array.from({ length: availableParallelism() }, thread));
}
