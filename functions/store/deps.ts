import type { SensorSpec } from '../core/task.ts';
import type { NewId } from '../ports.ts';
import type { GuardedWrites } from './guarded.ts';
import type { Poison } from './store.ts';
import type { Table } from './table.ts';

/** What the parts of the store share. */
export interface StoreDeps {
  readonly table: Table;
  readonly writes: GuardedWrites;
  readonly newId: NewId;
  /** Shards of a queue, fixed for its life. */
  readonly shards: number;
  /** Under which event key an event finds the targets of a sensor; undefined: under none. */
  readonly eventKeyOf: (sensor: SensorSpec) => string | undefined;
  /** Under which shardcode the targets of a sensor are watched; undefined: under that of their hashcode. */
  readonly codeOf: (sensor: SensorSpec) => number | undefined;
  /** Told of an unreadable item that a listing leaves out. */
  readonly onPoison: (poison: Poison) => void;
}
