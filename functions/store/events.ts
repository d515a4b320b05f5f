import type { Target } from '../core/target.ts';
import type { StoreDeps } from './deps.ts';
import { eventPartition, INDEXES } from './keys.ts';
import { readAll } from './poison.ts';
import type { Store } from './store.ts';
import type { Value } from './table.ts';
import { readTarget } from './target-item.ts';

const { partition: PARTITION, sort: SORT } = INDEXES['state-index'];

/** @returns where an event finds the target: never written again, so that it costs one index write and a delete a life. */
export function eventEntry({ eventKeyOf }: StoreDeps, { sensor, joined_at }: Target): Record<string, Value> {
  const eventKey = eventKeyOf(sensor);
  return eventKey === undefined ? {} : { [PARTITION]: eventPartition(eventKey), [SORT]: joined_at };
}

/** From an event to the targets that it may end. */
export function eventStore({ table, onPoison }: StoreDeps): Pick<Store, 'targetsOf'> {
  return {
    async targetsOf(eventKey, limit) {
      const partition = eventPartition(eventKey);
      const page = await table.query({ index: 'state-index', partition, limit, descending: true });
      const items = await table.getMany(page.items.map(({ pk }) => pk));
      return { targets: readAll(items, readTarget, onPoison), more: page.next !== undefined };
    },
  };
}
