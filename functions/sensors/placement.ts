import { hashcodeOfText, shardcode } from '../core/identity.ts';
import type { SensorSpec } from '../core/task.ts';
import { sensorCatalog } from './registry.ts';

/**
 * Under which shardcode the targets of a sensor are watched, where it is not their own: all that can share a call stands
 * under one, else each of several workers would make that call anew (docs/adr/0016).
 * @returns a function; undefined: under the code of the target's own hashcode
 */
export function placement(upperLimit: number): (sensor: SensorSpec) => number | undefined {
  return (sensor) => {
    const batch = sensorCatalog.batchKeyOf(sensor);
    return batch === undefined ? undefined : shardcode(hashcodeOfText(`${sensor.type}#${batch}`), upperLimit);
  };
}
