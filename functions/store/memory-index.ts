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

interface Entry {
  readonly sort: number;
  readonly pk: string;
  readonly item: Item;
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

/** An index in memory: each partition a list sorted by sort key and primary key. Without lag nothing but the present is kept. */
export function createMemoryIndex(spec: IndexSpec): MemoryIndex {
  const partitions = new Map<string, Entry[]>();
  const places = new Map<string, Place>();
  /** Writes that do not show yet, in their order; and until when the last one of a key is hidden. */
  let late: Late[] = [];
  const hiddenUntil = new Map<string, number>();

  function placeOf(item: Item | undefined): Place | undefined {
    const partition = item?.[spec.partition];
    const sort = item?.[spec.sort];
    return typeof partition === 'string' && typeof sort === 'number' ? { partition, sort } : undefined;
  }

  function projected(item: Item, place: Place): Item {
    if (spec.projection === 'ALL') return item;
    return Object.freeze({ pk: item.pk, [spec.partition]: place.partition, [spec.sort]: place.sort });
  }

  function apply(key: string, item: Item | undefined): void {
    const before = places.get(key);
    const after = placeOf(item);
    const stays = before?.partition === after?.partition && before?.sort === after?.sort;
    if (stays && spec.projection === 'KEYS_ONLY') return;
    if (before !== undefined && !stays) {
      const entries = partitions.get(before.partition) ?? [];
      entries.splice(firstAfter(entries, before.sort, key) - 1, 1);
      if (entries.length === 0) partitions.delete(before.partition);
      places.delete(key);
    }
    if (item === undefined || after === undefined) return;
    const entries = partitions.get(after.partition) ?? [];
    const entry = { sort: after.sort, pk: key, item: projected(item, after) };
    const end = firstAfter(entries, after.sort, key);
    if (stays) {
      entries[end - 1] = entry;
      return;
    }
    entries.splice(end, 0, entry);
    partitions.set(after.partition, entries);
    places.set(key, after);
  }

  function show(now: number): void {
    if (late.length === 0) return;
    const hidden: Late[] = [];
    for (const write of late) {
      if (write.visibleAt > now) {
        hidden.push(write);
        continue;
      }
      apply(write.key, write.item);
      if (hiddenUntil.get(write.key) === write.visibleAt) hiddenUntil.delete(write.key);
    }
    late = hidden;
  }

  function range({ partition, from, to }: Query): { entries: readonly Entry[]; low: number; high: number } {
    const entries = partitions.get(partition) ?? [];
    const low = from === undefined ? 0 : firstAfter(entries, from, '', true);
    const high = to === undefined ? entries.length : firstAfter(entries, to);
    return { entries, low, high };
  }

  return {
    write(key, item, visibleAt, now) {
      // The writes of one item show in their order, whatever the lag of each.
      const shown = Math.max(visibleAt, hiddenUntil.get(key) ?? visibleAt);
      show(now);
      if (shown <= now) {
        apply(key, item);
        return;
      }
      hiddenUntil.set(key, shown);
      late.push({ key, item, visibleAt: shown });
    },

    query(query, now) {
      show(now);
      const { limit = Number.POSITIVE_INFINITY, descending = false, next, without } = query;
      const { entries, ...bounds } = range(query);
      let { low, high } = bounds;
      if (next !== undefined) {
        const { sort, pk } = positionOf(next, spec);
        if (descending) high = Math.min(high, firstAfter(entries, sort, pk, true));
        else low = Math.max(low, firstAfter(entries, sort, pk));
      }
      const items: Item[] = [];
      let read = 0;
      let last: Entry | undefined;
      while (low < high && read < limit) {
        last = descending ? entries[(high -= 1)] : entries[low++];
        read += 1;
        if (last !== undefined && (without === undefined || last.item[without] === undefined)) items.push(last.item);
      }
      if (last === undefined || read < limit) return { items };
      return { items, next: { pk: last.pk, [spec.partition]: query.partition, [spec.sort]: last.sort } };
    },

    count(query, now) {
      show(now);
      const { entries, low, high } = range(query);
      const { without } = query;
      if (without === undefined) return Math.max(0, high - low);
      let count = 0;
      for (let place = low; place < high; place += 1) {
        if (entries[place]?.item[without] === undefined) count += 1;
      }
      return count;
    },
  };
}

/**
 * @returns the place of the first entry after (sort, pk); with `orAt` that of the first one at or after it.
 * Without a pk: after all entries of that sort key.
 */
function firstAfter(entries: readonly Entry[], sort: number, pk?: string, orAt = false): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && isBefore(entry, sort, pk, orAt)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore(entry: Entry, sort: number, pk: string | undefined, orAt: boolean): boolean {
  if (entry.sort !== sort) return entry.sort < sort;
  if (pk === undefined) return true;
  return entry.pk < pk || (!orAt && entry.pk === pk);
}

function positionOf(next: PageKey, spec: IndexSpec): { sort: number; pk: string } {
  const sort = next[spec.sort];
  const pk = next['pk'];
  if (typeof sort !== 'number' || typeof pk !== 'string') throw new TypeError('not a place in this index');
  return { sort, pk };
}
