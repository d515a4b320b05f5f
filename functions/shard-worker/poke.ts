/** Poking a round of targets: grouped by what shares a call, each group isolated from the others' defects. */
import { targetKey } from '../core/identity.ts';
import type { Observation } from '../core/observation.ts';
import type { Target } from '../core/target.ts';
import type { Sensors } from '../sensors/registry.ts';
import { BudgetSpent } from '../sensors/sensor.ts';
import type { PokeIo } from '../sensors/sensor.ts';
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
      group.map(({ target, first }) => ({ spec: target.sensor, first })),
      noting(run.io, left),
    );
    const at = deps.clock.now();
    return group.map((held, index) => {
      const observation = observations[index];
      if (observation === undefined) throw new Error(`the sensor gave ${observations.length} of ${group.length}`);
      // Without an answer and without room to ask: it was not poked.
      if (observation.kind === 'unknown' && left.spent) return { kind: 'left', held };
      count(run, observation);
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

/** A sensor's own defect is no word about the outside: unknown, with the reason where everybody can read it. */
function defect(deps: Pick<WorkerDeps, 'log' | 'clock'>, run: Run, held: Held, error: unknown): Poked {
  const reason = `quarantined: the sensor ${held.target.sensor.type} threw: ${String(error).slice(0, 300)}`;
  run.counts.poison += 1;
  run.counts.unknown += 1;
  deps.log({ message: 'poison', target: targetKey(held.target), reason });
  return { kind: 'observed', held, observation: { kind: 'unknown', reason }, at: deps.clock.now() };
}

function noting(io: PokeIo, left: { spent: boolean }): PokeIo {
  return {
    ...io,
    async call(operation, send) {
      try {
        return await io.call(operation, send);
      } catch (error) {
        if (error instanceof BudgetSpent) left.spent = true;
        throw error;
      }
    },
  };
}

function count(run: Run, observation: Observation): void {
  if (observation.kind === 'met') run.counts.met += 1;
  if (observation.kind === 'unknown') run.counts.unknown += 1;
}
