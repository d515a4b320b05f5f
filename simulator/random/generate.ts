/** A scenario from a seed: the same seed is the same scenario, and the scenario is one that a file could hold. */
import type { Mode } from '../../functions/core/task.ts';
import { readScenario } from '../format.ts';
import type { Scenario, World } from '../format.ts';
import { seeded } from '../random.ts';
import { conditions } from './conditions.ts';
import { createDice } from './dice.ts';
import type { Dice } from './dice.ts';
import { faultsOf, focusOf } from './focus.ts';
import type { Focus } from './focus.ts';
import { silence, withTokens } from './silence.ts';
import { submits } from './submits.ts';
import { trouble } from './trouble.ts';
import { clears, interventions, outsideWork } from './users.ts';

export function generate(seed: number): Scenario {
  const dice = createDice(seeded(`scenario ${seed}`));
  // Dice of their own: who is told, and when, is no part of what the other throws decide.
  const telling = createDice(seeded(`silence ${seed}`));
  const silent = silence(telling);
  const focus = focusOf(seed);
  const world: World = { s3: {}, emr: {}, glue: {}, http: {}, events: [] };
  const waited = conditions(dice, world);
  if (dice.chance(0.3)) world.events.push(...events(dice, world));
  const modes = dice.chance(0.35) ? ALL_MODES : SMART;
  const submitted = submits(dice, waited, modes);
  const watchable = waited.filter(({ copies }) => copies === 1).map(({ sensor }) => sensor);
  const steps = [
    ...submitted.map(({ step }) => step),
    ...interventions(dice, submitted),
    ...(focus === 'lost answers' ? clears(dice, submitted) : []),
    ...outsideWork(dice, watchable),
  ].toSorted((a, b) => a.at - b.at);
  return readScenario({
    name: `seed ${seed}`,
    until: LONGEST,
    settings: settings(dice, focus),
    queues: queues(dice, modes.length > 1),
    world,
    faults: [...trouble(dice, modes.length > 1), ...faultsOf(focus, dice), ...silent],
    steps: silent.length > 0 ? withTokens(telling, steps) : steps,
    expect: {},
  });
}

/** Long before this everything has ended, seconds of the scenario. */
const LONGEST = 12 * 3600;

/** Most waits are smart: the other modes are beside them, and as often as each other. */
const ALL_MODES: readonly [Mode, ...Mode[]] = ['smart', 'smart', 'deferrable', 'reschedule', 'poke'];
const SMART: readonly [Mode, ...Mode[]] = ['smart'];

/** Events of S3 that tell of landings, or of what has not landed; most are lost. */
function events(dice: Dice, { s3 }: World): World['events'] {
  const told = Object.entries(s3).flatMap(([name, life]) => {
    const [bucket = '', ...key] = name.split('/');
    if (key.length === 0 || dice.chance(0.5)) return [];
    return life.map(({ at }) => ({
      at: at + dice.pick([0, 0.5, -5, 20]),
      source: 'aws.s3' as const,
      bucket,
      key: key.join('/'),
    }));
  });
  return told.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at);
}

/** Few shards and codes: what is written and read in a tick is what grows with them, and no rule depends on it. */
function settings(dice: Dice, focus: Focus): Record<string, number> {
  const shards = dice.pick([1, 1, 1, 2, 3]);
  const usual = dice.chance(0.5) ? 7800 : dice.int(120, 900);
  const infra_window_seconds = focus === 'two outages' ? dice.int(160, 220) : usual;
  const poke_run_seconds = dice.pick([60, 300, 840]);
  return { shards, shard_code_upper_limit: shards + dice.pick([0, 0, 1]), infra_window_seconds, poke_run_seconds };
}

/** @param mixed a run of its own that finds no room for a call for long is not held against the rules here */
function queues(dice: Dice, mixed: boolean): Record<string, object> {
  const named: Record<string, object> = {};
  for (const name of ['default', 'other']) {
    if (dice.chance(0.6)) continue;
    const min_workers = dice.pick([0, 0, 0, 1]);
    named[name] = {
      worker_concurrency: dice.pick([1, 3, 500]),
      min_workers,
      max_workers: dice.int(Math.max(1, min_workers), 3),
      cooldown_seconds: dice.pick([0, 120]),
      budgets: !mixed && dice.chance(0.35) ? { s3: dice.pick([0.2, 0.5, 1]) } : {},
    };
  }
  return named;
}
