import type { Item } from './table.ts';

/** One item in an index. */
export interface Entry {
  readonly sort: number;
  readonly pk: string;
  readonly item: Item;
}

export interface Range {
  /** Inclusive bounds of the sort key. */
  readonly from?: number;
  readonly to?: number;
  /** Only what comes after (descending: before) this place. */
  readonly beyond?: Pick<Entry, 'sort' | 'pk'>;
  readonly limit?: number;
  readonly descending?: boolean;
  /** Only items without these attributes, or with this one; the others count for the limit, as in DynamoDB. */
  readonly without?: readonly string[];
  readonly only?: string;
}

/** One partition of an index: its entries sorted by sort key and primary key. */
export interface Partition {
  /** Adds the entry, or replaces the one with the same sort and primary key. */
  put(entry: Entry): void;
  remove(place: Pick<Entry, 'sort' | 'pk'>): void;
  isEmpty(): boolean;
  count(range: Range): number;
  /**
   * The items of a range, and the last entry that was read when the limit ended the reading.
   * A whole range gives the same list until the partition is written, so that a reader can know it again.
   */
  read(range: Range): { readonly items: readonly Item[]; readonly last?: Entry };
}

export function createPartition(): Partition {
  const entries: Entry[] = [];
  let known: { readonly low: number; readonly high: number; readonly items: readonly Item[] } | undefined;

  function bounds({ from, to, beyond, descending = false }: Range): { low: number; high: number } {
    let low = from === undefined ? 0 : countWhile(entries, ({ sort }) => sort < from);
    let high = to === undefined ? entries.length : countWhile(entries, ({ sort }) => sort <= to);
    if (beyond !== undefined && descending) high = Math.min(high, placeOf(beyond));
    if (beyond !== undefined && !descending) {
      low = Math.max(
        low,
        countWhile(entries, (entry) => compare(entry, beyond) <= 0),
      );
    }
    return { low, high: Math.max(low, high) };
  }

  function placeOf(place: Pick<Entry, 'sort' | 'pk'>): number {
    return countWhile(entries, (entry) => compare(entry, place) < 0);
  }

  function whole(low: number, high: number): readonly Item[] {
    if (known?.low !== low || known.high !== high) {
      known = { low, high, items: Object.freeze(entries.slice(low, high).map(({ item }) => item)) };
    }
    return known.items;
  }

  return {
    put(entry) {
      known = undefined;
      const place = placeOf(entry);
      const standing = entries[place];
      entries.splice(place, standing !== undefined && compare(standing, entry) === 0 ? 1 : 0, entry);
    },
    remove(place) {
      known = undefined;
      entries.splice(placeOf(place), 1);
    },
    isEmpty: () => entries.length === 0,
    count(range) {
      const { low, high } = bounds(range);
      return isWhole(range) ? high - low : whole(low, high).filter((item) => passes(item, range)).length;
    },
    read(range) {
      const { low, high } = bounds(range);
      const { limit, descending } = range;
      if (limit === undefined && isWhole(range) && descending !== true) return { items: whole(low, high) };
      const inOrder = descending === true ? entries.slice(low, high).toReversed() : entries.slice(low, high);
      const read = limit === undefined ? inOrder : inOrder.slice(0, limit);
      const items = read.map(({ item }) => item).filter((item) => passes(item, range));
      const last = read.length === limit ? read.at(-1) : undefined;
      return last === undefined ? { items } : { items, last };
    },
  };
}

function isWhole({ without, only }: Range): boolean {
  return without === undefined && only === undefined;
}

function passes(item: Item, { without = [], only }: Range): boolean {
  return !without.some((attribute) => attribute in item) && (only === undefined || only in item);
}

function compare(a: Pick<Entry, 'sort' | 'pk'>, b: Pick<Entry, 'sort' | 'pk'>): number {
  if (a.sort !== b.sort) return a.sort - b.sort;
  if (a.pk === b.pk) return 0;
  return a.pk < b.pk ? -1 : 1;
}

/** @returns how many things of a sorted list come before the first one that the test does not hold for. */
export function countWhile<Thing>(sorted: readonly Thing[], test: (thing: Thing) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const thing = sorted[middle];
    if (thing !== undefined && test(thing)) low = middle + 1;
    else high = middle;
  }
  return low;
}
