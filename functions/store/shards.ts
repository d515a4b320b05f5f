import type { StoreDeps } from './deps.ts';
import { shardKey } from './keys.ts';
import { isPoison, readAll } from './poison.ts';
import { readShard, SHARD_ATTRIBUTES, shardItem } from './record-items.ts';
import type { Store } from './store.ts';

/** The shards' part of the store: a lease, and what the worker who holds it writes. */
export function shardStore({
  table,
  writes,
  shards,
  onPoison,
}: StoreDeps): Pick<Store, 'shards' | 'takeLease' | 'saveShard'> {
  return {
    async shards(queue) {
      const keys = Array.from({ length: shards }, (_, shard) => shardKey(queue, shard));
      const records = readAll(await table.getMany(keys), readShard, onPoison);
      return records.toSorted((a, b) => a.shard - b.shard);
    },

    async takeLease(queue, shard, worker, now, until) {
      const { done, item } = await writes.update({
        key: shardKey(queue, shard),
        change: {
          set: { lease_owner: worker, lease_until: until },
          setIfMissing: { queue, shard, ticked_through: 0, owed: [] },
        },
        condition: [
          {
            any: [
              { attr: 'lease_until', op: 'missing' },
              { attr: 'lease_until', op: '<=', value: now },
            ],
          },
        ],
      });
      if (!done || item === undefined) return undefined;
      const read = readShard(item);
      if (!isPoison(read)) return read;
      // The record is only a memory of the last tick: a shard whose record broke begins anew and writes a whole one.
      onPoison(read);
      return { queue, shard, lease_owner: worker, lease_until: until, ticked_through: 0, owed: [] };
    },

    async saveShard(record, worker) {
      const { lease_owner: _owner, lease_until: _until, ...rest } = record;
      const { pk, ...set } = shardItem(rest);
      const { done } = await writes.update({
        key: pk,
        // The lease goes with it.
        change: { set, remove: SHARD_ATTRIBUTES.filter((name) => !(name in set)) },
        condition: [{ attr: 'lease_owner', op: '=', value: worker }],
      });
      return done;
    },
  };
}
