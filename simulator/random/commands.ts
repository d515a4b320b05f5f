/** What `npm run simulate` does: many seeds, one seed, all planted faults. Each gives the exit code. */
import { MUTANTS } from '../mutants.ts';
import { runJobs } from './pool.ts';
import type { Done } from './pool.ts';
import { runSeed, shrink } from './seed.ts';

type Print = (line: string) => void;

/** Of so many failing seeds the shortest scenario is looked for. */
const SHRUNK = 3;

/** Runs seeds `from`, `from + 1`, ... on all cores. */
export async function simulateSeeds(from: number, count: number, print: Print): Promise<number> {
  const startedAt = performance.now();
  const failed: Done[] = [];
  let seed = from;
  let done = 0;
  let virtual = 0;
  await runJobs(
    () => (seed < from + count ? { seed: seed++ } : undefined),
    (job) => {
      done += 1;
      virtual += job.seconds;
      if (job.violation !== undefined) {
        failed.push(job);
        print(`FAILED    seed ${job.seed}, at ${job.violation.at} s: ${job.violation.rule}: ${job.violation.what}`);
      }
      if (done % 500 === 0) print(`          ${done} of ${count}`);
    },
  );
  failed.sort((a, b) => a.seed - b.seed);
  for (const job of failed.slice(0, SHRUNK)) {
    const least = await shrink(job.seed);
    print(
      `          seed ${job.seed}, the shortest that still fails (${least.steps.length} steps, ${least.faults.length} faults):`,
    );
    print(JSON.stringify(least));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  print(
    `${count} seeds, ${(virtual / 3600).toFixed(0)} virtual hours in ${seconds.toFixed(1)} s (${(count / seconds).toFixed(1)} seeds a second)`,
  );
  print(`${count - failed.length} passed, ${failed.length} failed`);
  return failed.length > 0 ? 1 : 0;
}

/** Runs one seed and tells what happens in it. */
export async function tellSeed(seed: number, mutant: string | undefined, print: Print): Promise<number> {
  const { violations, ended } = await runSeed(seed, mutant, { tell: print });
  for (const { at, rule, what } of violations) print(`FAILED at ${at} s: ${rule}: ${what}`);
  if (violations.length > 0) print(`the shortest that still fails:\n${JSON.stringify(await shrink(seed, mutant))}`);
  print(`seed ${seed}: ${violations.length === 0 ? 'passed' : 'FAILED'} after ${ended} virtual seconds`);
  return violations.length > 0 ? 1 : 0;
}

/** Looks for the first seed that catches each planted fault. */
export async function searchMutants(within: number, print: Print): Promise<number> {
  const open = new Map(Object.keys(MUTANTS).map((name) => [name, { next: 1, caught: undefined as Done | undefined }]));
  await runJobs(
    () => {
      for (const [mutant, search] of open) {
        if (search.caught === undefined && search.next <= within) return { seed: search.next++, mutant };
      }
      return undefined;
    },
    (job) => {
      const search = open.get(job.mutant ?? '');
      if (search === undefined || job.violation === undefined) return;
      if (search.caught === undefined || job.seed < search.caught.seed) search.caught = job;
    },
  );
  for (const [name, { caught }] of open) {
    print(
      `${name.padEnd(34)} ${caught === undefined ? 'NOT CAUGHT' : `seed ${caught.seed}: ${caught.violation?.rule}: ${caught.violation?.what}`}`,
    );
  }
  const seeds = Object.fromEntries(
    [...open].flatMap(([name, { caught }]) => (caught === undefined ? [] : [[name, caught.seed]])),
  );
  print(JSON.stringify(seeds, undefined, 2));
  const missed = [...open.values()].filter(({ caught }) => caught === undefined).length;
  print(`${open.size - missed} caught, ${missed} not caught within ${within} seeds`);
  return missed > 0 ? 1 : 0;
}
