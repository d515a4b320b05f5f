/** Planted faults of ticks: leases, what is due, what is owed, queues that sleep, shards that nobody has. */
import type { Item } from '../../functions/store/table.ts';
import { changedStore, changedTable } from './mutant.ts';
import type { Mutant } from './mutant.ts';

export const ticks = {
  'lease-ignored': {
    what: 'a shard is taken whoever holds it',
    rig: () => ({
      table: changedTable('SHARD#', {
        update: (update) => (update.change.set?.['lease_owner'] === undefined ? update : { ...update, condition: [] }),
      }),
    }),
  },
  'ticked-through-before-the-work': {
    what: 'a shard says that its tick is done when it begins',
    rig: () => ({
      table: (table) => ({
        ...table,
        async update(update) {
          const { set = {}, setIfMissing = {} } = update.change;
          if (!update.key.startsWith('SHARD#') || set['lease_owner'] === undefined) return table.update(update);
          const before = await table.get(update.key);
          const { ticked_through: _, ...missing } = setIfMissing;
          const ahead = { ...set, ticked_through: Number(set['lease_until']) + 1900 };
          const answer = await table.update({
            ...update,
            change: { ...update.change, set: ahead, setIfMissing: missing },
          });
          if (!answer.done || answer.item === undefined) return answer;
          const item: Item = { ...answer.item, ticked_through: before?.['ticked_through'] ?? 0 };
          return { done: true, item };
        },
      }),
    }),
  },
  'owed-pokes-dropped': {
    what: 'what the budget left out is forgotten',
    rig: () => ({
      store: changedStore((store) => ({
        saveShard: (record, worker) => store.saveShard({ ...record, owed: [] }, worker),
      })),
    }),
  },
  'queue-asleep-too-early': {
    what: 'a queue falls asleep as soon as nothing is due',
    rig: () => ({
      store: changedStore(
        (store) => ({
          saveQueue: (seen, next) => store.saveQueue(seen, { ...next, idle: next.decision?.desired === 0 }),
        }),
        'dispatcher',
      ),
    }),
  },
  'shard-left-out': {
    what: 'the last shard of a share has no worker',
    rig: () => ({
      workers: (workers) => ({
        invoke: (event) =>
          workers.invoke(
            event.kind === 'tick' && event.shards.length > 1 ? { ...event, shards: event.shards.slice(0, -1) } : event,
          ),
      }),
    }),
  },
  'first-pokes-dropped': {
    what: 'new targets wait for their cadence',
    rig: () => ({
      workers: (workers) => ({
        invoke: async (event) => (event.kind === 'first_pokes' ? undefined : workers.invoke(event)),
      }),
    }),
  },
} as const satisfies Readonly<Record<string, Mutant>>;
