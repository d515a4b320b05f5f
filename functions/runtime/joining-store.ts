import { sensorCatalog } from '../sensors/registry.ts';
import type { Store } from '../store/store.ts';
import { openStore } from './store.ts';

/** @returns the store of a function that joins targets: it writes where events find them. */
export function openJoiningStore(tableName: string, shards?: number): Store {
  return openStore(tableName, shards, (sensor) => sensorCatalog.eventKeyOf(sensor));
}
