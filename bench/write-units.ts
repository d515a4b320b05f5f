/** Write units as DynamoDB counts them for a table on demand: a unit a kilobyte begun, of the base table and each index. */
import { itemBytes } from '../functions/store/item-size.ts';
import { INDEXES, PRIMARY_KEY } from '../functions/store/keys.ts';
import type { TableChange } from '../functions/store/memory-table.ts';
import type { Item } from '../functions/store/table.ts';

const KILOBYTE = 1024;

/** @returns the units of an item or an index entry with so many bytes: at least one. */
export function unitsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / KILOBYTE));
}

export interface WriteUnits {
  readonly base: number;
  readonly indexes: number;
}

/** @returns what one committed write costs. */
export function writeUnits({ old, new: item }: TableChange): WriteUnits {
  const base = unitsOf(Math.max(sizeOf(old), sizeOf(item)));
  const indexes = Object.values(INDEXES).reduce((sum, index) => sum + indexUnits(index, old, item), 0);
  return { base, indexes };
}

/** @returns what a write costs whose condition failed: as one that changes nothing. */
export function refusedUnits(standing: Item | undefined): number {
  return unitsOf(sizeOf(standing));
}

interface Index {
  readonly partition: string;
  readonly sort: string;
  readonly projection: 'ALL' | 'KEYS_ONLY';
}

/** A new entry, a removed one, a changed one: one write. A changed key: the old entry goes and a new one comes. */
function indexUnits(index: Index, old: Item | undefined, item: Item | undefined): number {
  const before = entryOf(index, old);
  const after = entryOf(index, item);
  if (before === undefined && after === undefined) return 0;
  if (before === undefined || after === undefined) return unitsOf(sizeOf(before ?? after));
  const moved = before[index.partition] !== after[index.partition] || before[index.sort] !== after[index.sort];
  if (moved) return unitsOf(sizeOf(before)) + unitsOf(sizeOf(after));
  return isSame(before, after) ? 0 : unitsOf(Math.max(sizeOf(before), sizeOf(after)));
}

function entryOf({ partition, sort, projection }: Index, item: Item | undefined): Item | undefined {
  const [code, order] = [item?.[partition], item?.[sort]];
  if (item === undefined || code === undefined || order === undefined) return undefined;
  return projection === 'ALL' ? item : { pk: item[PRIMARY_KEY], [partition]: code, [sort]: order };
}

function isSame(a: Item, b: Item): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(item: Item): readonly (readonly [string, unknown])[] {
  return Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const sizes = new WeakMap<Item, number>();

/** Each item is measured once: it is the old one of the write after it, and an entry of an index besides. */
function sizeOf(item: Item | undefined): number {
  if (item === undefined) return 0;
  const size = sizes.get(item) ?? itemBytes(item);
  sizes.set(item, size);
  return size;
}
