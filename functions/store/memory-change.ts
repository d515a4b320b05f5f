/** What an update makes of an item in memory; throws a TableError for what DynamoDB refuses. */
import { isTooLarge } from './item-size.ts';
import { INDEXES, PRIMARY_KEY } from './keys.ts';
import { isStorableKey, isStorableNumber, MAX_NESTING } from './storable.ts';
import type { Change, Item, Value } from './table.ts';
import { TableError } from './table.ts';

/** @returns the change with values that nobody can change any more: neither the writer afterwards nor a reader. */
export function frozenChange(key: string, change: Change): Required<Change> {
  const { set = {}, setIfMissing = {}, add = {}, remove = [] } = change;
  const names = [...remove, ...Object.keys(set), ...Object.keys(setIfMissing), ...Object.keys(add)];
  if (new Set(names).size < names.length) throw new TableError(`${key}: one attribute is changed twice`);
  if (names.includes(PRIMARY_KEY)) throw new TableError(`${key}: the key cannot be changed`);
  for (const amount of Object.values(add)) storable(amount);
  return { set: frozenFields(set, 0), setIfMissing: frozenFields(setIfMissing, 0), add, remove };
}

/** @returns the item after a frozen change. */
export function changedItem(key: string, old: Item | undefined, change: Required<Change>): Item {
  const { set, setIfMissing, add, remove } = change;
  const attributes: Record<string, Value> = { ...setIfMissing, ...old, ...set };
  for (const [name, amount] of Object.entries(add)) {
    const sum = attributes[name] ?? 0;
    if (typeof sum !== 'number') throw new TableError(`${key}: ${name} is no number`);
    attributes[name] = storable(sum + amount);
  }
  for (const name of remove) delete attributes[name];
  const item = Object.freeze({ ...attributes, pk: key });
  checkIndexKeys(item);
  if (isTooLarge(item)) throw new TableError(`${key}: larger than 400 kB`);
  return item;
}

const SPECS = Object.values(INDEXES);

function checkIndexKeys(item: Item): void {
  for (const { partition, sort } of SPECS) {
    const code = item[partition];
    const order = item[sort];
    const isKey = code === undefined || (typeof code === 'string' && isStorableKey(code));
    if (!isKey || (order !== undefined && typeof order !== 'number')) {
      throw new TableError(`${item.pk}: ${isKey ? sort : partition} is not what an index needs`);
    }
  }
}

function frozenFields(fields: Readonly<Record<string, Value>>, depth: number): Readonly<Record<string, Value>> {
  const copy: Record<string, Value> = {};
  for (const [name, field] of Object.entries(fields)) copy[name] = frozen(field, depth);
  return Object.freeze(copy);
}

function frozen(value: Value, depth: number): Value {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return storable(value);
  if (typeof value !== 'object') throw new TableError(`a table cannot hold ${typeof value}`);
  if (depth === MAX_NESTING) throw new TableError(`nested deeper than ${MAX_NESTING} levels`);
  return isList(value) ? Object.freeze(value.map((one) => frozen(one, depth + 1))) : frozenFields(value, depth + 1);
}

/** @returns the number as it is read back: a table has no -0. */
function storable(value: number): number {
  if (isStorableNumber(value)) return value + 0;
  throw new TableError(`${value} is no number of a table`);
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
