import { countWhile, createPartition } from './memory-partition.ts';
import type { Entry, Partition, Range } from './memory-partition.ts';
import type { Item, Page, PageKey, Query } from './table.ts';

/** One index as keys.ts declares it. */
export interface IndexSpec {
  readonly partition: string;
  readonly sort: string;
  readonly projection: 'ALL' | 'KEYS_ONLY';
}

export interface MemoryIndex {
  /** Puts an item where it belongs now, or nowhere when it has left the index. Visible from `visibleAt` (epoch ms) on. */
  write(key: string, item: Item | undefined, visibleAt: number, now: number): void;
  query(query: Query, now: number): Page;
  count(query: Query, now: number): number;
}

interface Place {
  readonly partition: string;
  readonly sort: number;
}

interface Late {
  readonly key: string;
  readonly item: Item | undefined;
  readonly visibleAt: number;
}

/** An index in memory. Without lag nothing but the present is kept. */
export function createMemoryIndex(spec: IndexSpec): MemoryIndex {
  const partitions = new Map<string, Partition>();
  /** Where each item stands in the index, as the index shows it. */
  const places = new Map<string, Place>();
  /** Writes that do not show yet, by the instant at which they do; and until when the last one of a key is hidden. */
  const late: Late[] = [];
  const hiddenUntil = new Map<string, number>();

  function placeOf(item: Item | undefined): Place | undefined {
    const partition = item?.[spec.partition];
    const sort = item?.[spec.sort];
    return typeof partition === 'string' && typeof sort === 'number' ? { partition, sort } : undefined;
  }

  function apply(key: string, item: Item | undefined): void {
    const before = places.get(key);
    const after = placeOf(item);
    const stays = before?.partition === after?.partition && before?.sort === after?.sort;
    if (stays && spec.projection === 'KEYS_ONLY') return;
    if (before !== undefined && !stays) {
      const partition = partitions.get(before.partition);
      partition?.remove({ sort: before.sort, pk: key });
      if (partition?.isEmpty() === true) partitions.delete(before.partition);
      places.delete(key);
    }
    if (item === undefined || after === undefined) return;
    const partition = partitions.get(after.partition) ?? createPartition();
    partition.put(entryOf(item, after));
    partitions.set(after.partition, partition);
    places.set(key, after);
  }

  function entryOf(item: Item, { partition, sort }: Place): Entry {
    const keys = { pk: item.pk, [spec.partition]: partition, [spec.sort]: sort };
    return { sort, pk: item.pk, item: spec.projection === 'ALL' ? item : Object.freeze(keys) };
  }

  function show(now: number): void {
    const shown = countWhile(late, ({ visibleAt }) => visibleAt <= now);
    if (shown === 0) return;
    for (const { key, item, visibleAt } of late.splice(0, shown)) {
      apply(key, item);
      if (hiddenUntil.get(key) === visibleAt) hiddenUntil.delete(key);
    }
  }

  return {
    write(key, item, visibleAt, now) {
      show(now);
      // The writes of one item show in their order, whatever the lag of each.
      const shown = Math.max(visibleAt, hiddenUntil.get(key) ?? visibleAt);
      if (shown <= now) {
        apply(key, item);
        return;
      }
      hiddenUntil.set(key, shown);
      const place = countWhile(late, (one) => one.visibleAt <= shown);
      late.splice(place, 0, { key, item, visibleAt: shown });
    },

    query(query, now) {
      show(now);
      const partition = partitions.get(query.partition);
      if (partition === undefined) return { items: [] };
      const { items, last } = partition.read(rangeOf(query, spec));
      if (last === undefined) return { items };
      return { items, next: { pk: last.pk, [spec.partition]: query.partition, [spec.sort]: last.sort } };
    },

    count(query, now) {
      show(now);
      return partitions.get(query.partition)?.count(query) ?? 0;
    },
  };
}

function rangeOf({ next, ...range }: Query, spec: IndexSpec): Range {
  return next === undefined ? range : { ...range, beyond: positionOf(next, spec) };
}

function positionOf(next: PageKey, spec: IndexSpec): Pick<Entry, 'sort' | 'pk'> {
  const sort = next[spec.sort];
  const pk = next['pk'];
  if (typeof sort !== 'number' || typeof pk !== 'string') throw new TypeError('not a place in this index');
  return { sort, pk };
}
