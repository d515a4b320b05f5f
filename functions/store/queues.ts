import { DEFAULT_QUEUE } from '../core/queue.ts';
import type { QueueRecord } from '../core/queue.ts';
import { ACTIVE_STATES } from '../core/task.ts';
import type { StoreDeps } from './deps.ts';
import { QUEUES_PARTITION, queueKey, STATE_PARTITIONS, statePartition } from './keys.ts';
import { orThrow, readAll } from './poison.ts';
import { queueItem, readQueue } from './record-items.ts';
import type { Store } from './store.ts';
import type { Item, PageKey } from './table.ts';
import { TableError } from './table.ts';

/** A queue in use is noted at most this often. Whoever declares one idle must have waited for longer. */
const TOUCH_MS = 60_000;

/** The queues' part of the store. */
export function queueStore(
  deps: StoreDeps,
): Pick<Store, 'queue' | 'queues' | 'countActive' | 'touchQueue' | 'saveQueue'> {
  const { table, writes, onPoison } = deps;

  async function queue(name: string): Promise<QueueRecord | undefined> {
    const item = await table.get(queueKey(name));
    return item === undefined ? undefined : orThrow(readQueue(item));
  }

  async function create(record: QueueRecord): Promise<boolean> {
    const { pk, ...set } = queueItem(record);
    const { done } = await writes.update({ key: pk, change: { set }, condition: [{ attr: 'pk', op: 'missing' }] });
    return done;
  }

  return {
    queue,

    async countActive(name) {
      const parts = ACTIVE_STATES.flatMap((state) =>
        Array.from({ length: STATE_PARTITIONS }, (_, part) => statePartition(name, state, part)),
      );
      const counts = await Promise.all(parts.map((partition) => table.count({ index: 'state-index', partition })));
      return counts.reduce((sum, count) => sum + count, 0);
    },

    async queues() {
      const keys: string[] = [];
      let next: PageKey | undefined;
      do {
        const place = next === undefined ? {} : { next };
        const page = await table.query({ index: 'state-index', partition: QUEUES_PARTITION, ...place });
        keys.push(...page.items.map((item) => item.pk));
        next = page.next;
      } while (next !== undefined);
      const records = readAll(await table.getMany(keys), readQueue, onPoison);
      return records.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },

    async touchQueue(name, now) {
      const seen = await queue(name);
      if (seen === undefined) {
        const fresh = { ...DEFAULT_QUEUE, name, rev: 1, idle: false, active_at: now };
        if (await create(fresh)) return fresh;
      } else if (!seen.idle && now - seen.active_at <= TOUCH_MS) return seen;
      // Whatever else happens to the record, it is in use; rev tells a dispatcher that was about to call it idle.
      const { item } = await writes.updateOnce(
        queueKey(name),
        { set: { idle: false, active_at: now }, add: { rev: 1 } },
        [{ attr: 'pk', op: 'exists' }],
      );
      if (item === undefined) throw new TableError(`${name}: the queue is gone`);
      return orThrow(readQueue(item));
    },

    async saveQueue(seen, next) {
      if (seen === undefined) return create(next);
      if (next.rev !== seen.rev + 1 || next.name !== seen.name) {
        throw new Error(`not a change of the queue ${seen.name} rev ${seen.rev}: ${next.name} rev ${next.rev}`);
      }
      const { pk, ...set } = queueItem(next);
      const { done } = await writes.update({
        key: pk,
        change: { set, remove: left(queueItem(seen), set) },
        condition: [{ attr: 'rev', op: '=', value: seen.rev }],
      });
      return done;
    },
  };
}

/** @returns the attributes that a record no longer has. */
function left(before: Item, after: object): string[] {
  return Object.keys(before).filter((name) => name !== 'pk' && !(name in after));
}
