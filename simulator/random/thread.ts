/** A thread of the pool: runs the seeds that it is sent, one after the other. */
import { parentPort } from 'node:worker_threads';
import type { Done, Job } from './pool.ts';
import { runSeed } from './seed.ts';

let last = Promise.resolve();

async function run(job: Job): Promise<void> {
  const { violations, ended } = await runSeed(job.seed, job.mutant);
  const [violation] = violations;
  const done: Done = { ...job, seconds: ended, ...(violation === undefined ? {} : { violation }) };
  parentPort?.postMessage(done, []);
}

parentPort?.on('message', (job: Job) => {
  // One at a time: each run is whole before the next begins.
  last = last.then(() => run(job));
});
