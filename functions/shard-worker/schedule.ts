import type { Schedule } from '../core/cadence.ts';
import { phaseMs } from '../core/identity.ts';
import type { Target } from '../core/target.ts';
import type { SensorCatalog } from '../sensors/registry.ts';

/** A record is never changed, and its schedule is asked for again and again. */
const known = new WeakMap<Target, Schedule>();

/**
 * When a target is poked: a function of its record alone, so that an idle poke writes nothing.
 * The phase of a constant interval comes from the batch key where the sensor batches, so that what can share a call is
 * due together (DESIGN, section 4). Deferrable targets are poked alone: they are spread.
 */
export function scheduleOf(sensors: SensorCatalog, target: Target): Schedule {
  const schedule = known.get(target) ?? computed(sensors, target);
  known.set(target, schedule);
  return schedule;
}

function computed(sensors: SensorCatalog, target: Target): Schedule {
  const notBeforeMs = sensors.notBeforeOf(target.sensor);
  const batch = target.mode === 'smart' ? sensors.batchKeyOf(target.sensor) : undefined;
  return {
    cadence: target,
    identity: `${target.queue}#${target.hashcode}`,
    phaseMs: phaseMs(batch ?? target.hashcode, target.poke_interval),
    startMs: target.joined_at,
    deadlineMs: target.next_deadline,
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
  };
}
