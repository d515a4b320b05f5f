import type { NewId } from '../ports.ts';
import { awakeStore } from './awake.ts';
import type { StoreDeps } from './deps.ts';
import { bookingStore } from './bookings.ts';
import { eventStore } from './events.ts';
import { createGuardedWrites } from './guarded.ts';
import { queueStore } from './queues.ts';
import { shardStore } from './shards.ts';
import { slotStore } from './slots.ts';
import type { Poison, Store } from './store.ts';
import type { Table } from './table.ts';
import { targetStore } from './targets.ts';
import { taskStore } from './tasks.ts';
import { untoldStore } from './untold.ts';

export interface StoreOptions {
  readonly table: Table;
  readonly newId: NewId;
  /** Shards of a queue, fixed for its life. @default 16 */
  readonly shards?: number;
  /**
   * Under which event key an event finds the targets of a sensor; whoever joins targets gives the sensors' own.
   * @default none has one
   */
  readonly eventKeyOf?: StoreDeps['eventKeyOf'];
  /**
   * Under which shardcode the targets of a sensor are watched; whoever joins targets gives it.
   * @default under that of their hashcode
   */
  readonly codeOf?: StoreDeps['codeOf'];
  /** Told of an unreadable item that a listing leaves out (a queue, a shard, a task). @default nobody is told */
  readonly onPoison?: (poison: Poison) => void;
}

/** The store over a table: the same logic in DynamoDB and in memory. */
export function createStore(options: StoreOptions): Store {
  const { table, newId, shards = 16, eventKeyOf = () => undefined, codeOf = () => undefined } = options;
  const { onPoison = () => {} } = options;
  const writes = createGuardedWrites(table, newId);
  const deps: StoreDeps = { table, writes, newId, shards, eventKeyOf, codeOf, onPoison };
  return {
    ...taskStore(deps),
    ...targetStore(deps),
    ...awakeStore(deps),
    ...eventStore(deps),
    ...queueStore(deps),
    ...shardStore(deps),
    ...slotStore(deps),
    ...bookingStore(deps),
    ...untoldStore(deps),
  };
}
