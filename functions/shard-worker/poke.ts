/** Poking a round of targets: grouped by what shares a call, each group isolated from the others' defects. */
import { targetKey } from '../core/identity.ts';
import type { Observation } from '../core/observation.ts';
import type { Target } from '../core/target.ts';
import type { SensorSpec } from '../core/task.ts';
import type { Poke, Sensors } from '../sensors/registry.ts';
import type { WorkerDeps } from './deps.ts';
import type { Run } from './run.ts';

/** A target in the worker's hands. */
export interface Held {
  readonly target: Target;
  /** Its first poke: the time for checks that need not be repeated. */
  readonly first: boolean;
}

export type Poked =
  | { readonly kind: 'observed'; readonly held: Held; readonly observation: Observation; readonly at: number }
  /** The budget had no room: owed. */
  | { readonly kind: 'left'; readonly held: Held };

/** @returns the name under which targets share calls: the sensor's batch key, or the target alone. */
export function groupOf(sensors: Sensors, target: Target): string {
  const batch = sensors.batchKeyOf(target.sensor);
  return batch === undefined ? targetKey(target) : `${target.sensor.type}#${batch}`;
}

/** @returns the operation that the pokes of a group mostly call; undefined: they call none. */
export function operationOf(
  { sensors }: { readonly sensors: Pick<Sensors, 'operationOf'> },
  [first]: readonly Held[],
): string | undefined {
  return first === undefined ? undefined : sensors.operationOf(first.target.sensor);
}

/** Pokes targets that share one group. A sensor that throws costs the targets it throws for, and nobody else. */
export async function pokeGroup(
  deps: Pick<WorkerDeps, 'sensors' | 'log' | 'clock'>,
  run: Run,
  group: readonly Held[],
): Promise<readonly Poked[]> {
  run.counts.pokes += group.length;
  try {
    const left = { spent: false };
    const observations = await deps.sensors.poke(
      group.map(({ target, first }) => ({ queue: target.queue, spec: target.sensor, first })),
      run.ioOf(() => (left.spent = true)),
    );
    const at = deps.clock.now();
    return group.map((held, index) => {
      const observation = observations[index];
      if (observation === undefined) throw new Error(`no observation of ${targetKey(held.target)}`);
      // Without an answer and without room to ask: it was not poked.
      if (observation.kind === 'unknown' && left.spent) return { kind: 'left', held };
      count(deps.sensors, run, held.target.sensor, observation);
      return { kind: 'observed', held, observation, at };
    });
  } catch (error) {
    if (group.length > 1) {
      const alone = await Promise.all(group.map((held) => pokeGroup(deps, run, [held])));
      run.counts.pokes -= group.length;
      return alone.flat();
    }
    return group.map((held) => defect(deps, run, held, error));
  }
}

/**
 * Pokes what one task alone waits for.
 * @returns what it says, unknown where the sensor has a defect; undefined where the budget had no room: it was not poked
 */
export async function pokeAlone(
  { sensors, log }: Pick<WorkerDeps, 'sensors' | 'log'>,
  run: Pick<Run, 'counts' | 'shared' | 'ioOf'>,
  poke: Poke,
): Promise<Observation | undefined> {
  const left = { spent: false };
  run.counts.pokes += 1;
  try {
    const [observation] = await sensors.poke(
      [poke],
      run.ioOf(() => (left.spent = true)),
    );
    if (observation === undefined) throw new Error('the sensor gave no observation');
    if (observation.kind === 'unknown' && left.spent) return undefined;
    count(sensors, run, poke.spec, observation);
    return observation;
  } catch (error) {
    const observation = quarantined(poke.spec, error);
    log({ message: 'poison', sensor: poke.spec.type, reason: observation.reason });
    run.counts.poison += 1;
    run.counts.unknown += 1;
    return observation;
  }
}

/** A sensor's own defect is no word about the outside: unknown, with the reason where everybody can read it. */
function defect(deps: Pick<WorkerDeps, 'log' | 'clock'>, run: Run, held: Held, error: unknown): Poked {
  const observation = quarantined(held.target.sensor, error);
  run.counts.poison += 1;
  run.counts.unknown += 1;
  deps.log({ message: 'poison', target: targetKey(held.target), reason: observation.reason });
  return { kind: 'observed', held, observation, at: deps.clock.now() };
}

function quarantined({ type }: SensorSpec, error: unknown): Extract<Observation, { kind: 'unknown' }> {
  return { kind: 'unknown', reason: `quarantined: the sensor ${type} threw: ${String(error).slice(0, 300)}` };
}

function count(
  { operationOf }: Pick<Sensors, 'operationOf'>,
  run: Pick<Run, 'counts' | 'shared'>,
  spec: SensorSpec,
  observation: Observation,
): void {
  if (observation.kind === 'met') run.counts.met += 1;
  if (observation.kind === 'unknown') run.counts.unknown += 1;
  // What asks nobody saves nobody a call.
  if (operationOf(spec) !== undefined) run.shared.answered += 1;
}
