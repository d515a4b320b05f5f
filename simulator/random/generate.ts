/** A scenario from a seed: the same seed is the same scenario, and the scenario is one that a file could hold. */
import { readScenario } from '../format.ts';
import type { Scenario, World } from '../format.ts';
import { seeded } from '../random.ts';
import { conditions } from './conditions.ts';
import { createDice } from './dice.ts';
import type { Dice } from './dice.ts';
import { submits } from './submits.ts';
import { trouble } from './trouble.ts';
import { interventions, outsideWork } from './users.ts';

export function generate(seed: number): Scenario {
  const dice = createDice(seeded(`scenario ${seed}`));
  const world: World = { s3: {}, emr: {}, glue: {}, http: {}, events: [] };
  const waited = conditions(dice, world);
  const submitted = submits(dice, waited);
  const watchable = waited.filter(({ copies }) => copies === 1).map(({ sensor }) => sensor);
  const steps = [
    ...submitted.map(({ step }) => step),
    ...interventions(dice, submitted),
    ...outsideWork(dice, watchable),
  ].toSorted((a, b) => a.at - b.at);
  return readScenario({
    name: `seed ${seed}`,
    until: LONGEST,
    settings: settings(dice),
    queues: queues(dice),
    world,
    faults: trouble(dice),
    steps,
    expect: {},
  });
}

/** Long before this everything has ended, seconds of the scenario. */
const LONGEST = 12 * 3600;

/** Few shards and codes: what is written and read in a tick is what grows with them, and no rule depends on it. */
function settings(dice: Dice): Record<string, number> {
  const shards = dice.pick([1, 1, 1, 2, 3]);
  const infra_window_seconds = dice.chance(0.5) ? 7800 : dice.int(120, 900);
  return { shards, shard_code_upper_limit: shards + dice.pick([0, 0, 1]), infra_window_seconds };
}

function queues(dice: Dice): Record<string, object> {
  const named: Record<string, object> = {};
  for (const name of ['default', 'other']) {
    if (dice.chance(0.6)) continue;
    const min_workers = dice.pick([0, 0, 0, 1]);
    named[name] = {
      worker_concurrency: dice.pick([1, 3, 500]),
      min_workers,
      max_workers: dice.int(Math.max(1, min_workers), 3),
      cooldown_seconds: dice.pick([0, 120]),
      budgets: dice.chance(0.35) ? { s3: dice.pick([0.05, 0.2, 1]) } : {},
    };
  }
  return named;
}
