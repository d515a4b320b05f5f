/** Runs one scenario in one mode, from its file to its misses. */
import { DEFAULT_SETTINGS, parseSettings } from '../functions/settings.ts';
import { queueBody } from '../functions/api/schemas/queue.ts';
import { validate } from '../functions/validation.ts';
import { missesOf } from './expect.ts';
import { ScenarioError } from './format.ts';
import type { Scenario, ScenarioMode } from './format.ts';
import type { QueueSettings } from '../functions/core/queue.ts';
import { bodiesOf, play } from './play.ts';
import type { Miss } from './play.ts';
import { seeded } from './random.ts';
import { createStage } from './stage.ts';
import type { Rig } from './rig.ts';
import type { Stage } from './stage.ts';

export interface Outcome {
  readonly misses: readonly Miss[];
  readonly stage: Stage;
  /** Epoch ms of second 0. */
  readonly start: number;
}

/** @returns what the scenario came to. `rig` plants faults, in tests alone. */
export async function runScenario(scenario: Scenario, mode: ScenarioMode, rig?: Rig): Promise<Outcome> {
  const start = Date.parse(scenario.start);
  const stage = createStage({
    start,
    settings: { ...DEFAULT_SETTINGS, ...parseSettings(JSON.stringify(scenario.settings)) },
    world: scenario.world,
    faults: scenario.faults,
    random: seeded(scenario.name),
    ...(rig === undefined ? {} : { rig }),
  });
  await setQueues(stage, scenario);
  const misses: Miss[] = [];
  const open = new Set<string>();
  for (const [index, step] of scenario.steps.entries()) {
    const name = `steps[${index}]`;
    open.add(name);
    const playStep = async (): Promise<void> => {
      misses.push(...(await play(stage, step, mode)));
      open.delete(name);
    };
    stage.time.at(start + step.at * 1000, 'step', () => void playStep());
  }
  await stage.time.runUntil(start + scenario.until * 1000);
  for (const step of open) misses.push({ what: step, expected: 'an answer', came: 'none until the end' });
  const ids = scenario.steps.flatMap((step) => {
    return 'submit' in step ? bodiesOf(step, mode).map((body) => String(body['id'])) : [];
  });
  misses.push(...(await missesOf(stage, scenario.expect, start, ids)));
  return { misses, stage, start };
}

/** Sets the queues up that a scenario names. @throws ScenarioError */
export async function setQueues(stage: Stage, { queues }: Pick<Scenario, 'queues'>): Promise<void> {
  for (const [name, settings] of Object.entries(queues)) {
    await stage.store.saveQueue(undefined, {
      ...queueSettings(name, settings),
      name,
      rev: 1,
      idle: false,
      active_at: stage.time.now(),
    });
  }
}

/** The body that PUT /v1/queues/{name} takes. */
function queueSettings(name: string, body: unknown): QueueSettings {
  const settings = validate(queueBody, body);
  if (settings.ok) return settings.value;
  const [{ field, detail }] = settings.faults;
  throw new ScenarioError(`queues.${name}.${field} ${detail}`);
}
