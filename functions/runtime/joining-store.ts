import { placement } from '../sensors/placement.ts';
import { sensorCatalog } from '../sensors/registry.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { openStore } from './store.ts';

/** @returns the store of a function that joins targets: it writes where events and workers find them. */
export function openJoiningStore(tableName: string, settings: ServiceSettings): Store {
  return openStore(tableName, settings.shards, {
    eventKeyOf: (sensor) => sensorCatalog.eventKeyOf(sensor),
    codeOf: placement(settings.shard_code_upper_limit),
  });
}
