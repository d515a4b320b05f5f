/** One seed: its scenario, run under the invariants, whole or as a shorter one that still fails. */
import type { Scenario } from '../format.ts';
import { MUTANTS } from '../mutants.ts';
import { runWatched } from '../watched-run.ts';
import type { RunOptions, WatchedRun } from '../watched-run.ts';
import { generate } from './generate.ts';

/** Every third run waits until the targets are gone too. */
const THOROUGH = 3;

/**
 * @param seed of the scenario
 * @param mutant name of a planted fault, if any
 */
export async function runSeed(seed: number, mutant?: string, options: RunOptions = {}): Promise<WatchedRun> {
  return runOf(generate(seed), seed, mutant, options);
}

async function runOf(scenario: Scenario, seed: number, mutant?: string, options: RunOptions = {}): Promise<WatchedRun> {
  const planted = mutant === undefined ? undefined : MUTANTS[mutant];
  if (mutant !== undefined && planted === undefined) throw new Error(`there is no planted fault ${mutant}`);
  const rig = planted === undefined ? {} : { rig: planted.rig() };
  return runWatched(scenario, { brief: seed % THOROUGH !== 0, ...options, ...rig });
}

/** @returns the shortest prefix of a failing seed's steps that still fails, without the faults that it does not need. */
export async function shrink(seed: number, mutant?: string): Promise<Scenario> {
  const whole = generate(seed);
  const fails = async (scenario: Scenario): Promise<boolean> =>
    (await runOf(scenario, seed, mutant)).violations.length > 0;
  let least = whole;
  for (let steps = 0; steps < whole.steps.length; steps += 1) {
    const prefix = { ...whole, steps: whole.steps.slice(0, steps) };
    if (await fails(prefix)) {
      least = prefix;
      break;
    }
  }
  for (let index = least.faults.length - 1; index >= 0; index -= 1) {
    const fewer = { ...least, faults: least.faults.toSpliced(index, 1) };
    if (await fails(fewer)) least = fewer;
  }
  return least;
}
