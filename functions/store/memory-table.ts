import { holds } from './conditions.ts';
import { INDEXES, PRIMARY_KEY } from './keys.ts';
import { isTooLarge } from './item-size.ts';
import { createMemoryIndex } from './memory-index.ts';
import type { IndexSpec, MemoryIndex } from './memory-index.ts';
import type { BatchUpdate, Change, Condition, IndexName, Item, Table, Value, WriteAnswer } from './table.ts';
import { TableError } from './table.ts';

/** One committed write, as the table's stream would tell it. */
export interface TableChange {
  readonly key: string;
  readonly old?: Item;
  readonly new?: Item;
}

export interface MemoryTableOptions {
  /** Epoch ms; only asked where indexes lag. @default always 0 */
  readonly now?: () => number;
  /** After how long a write shows in an index; asked once per write and index. @default 0 */
  readonly indexLagMs?: () => number;
  /** Called at each commit, before the writer has its answer. It must not throw. */
  readonly onChange?: (change: TableChange) => void;
}

/**
 * The table in memory, with DynamoDB's semantics as far as the port shows them. Items are frozen: what is read is the item
 * itself, and reading it again gives the same object until it is written.
 */
export function createMemoryTable(options: MemoryTableOptions = {}): Table {
  const { now = () => 0, indexLagMs = () => 0, onChange } = options;
  const items = new Map<string, Item>();
  const indexes: Record<IndexName, MemoryIndex> = {
    'hashcode-index': createMemoryIndex(INDEXES['hashcode-index']),
    'shardcode-index': createMemoryIndex(INDEXES['shardcode-index']),
    'state-index': createMemoryIndex(INDEXES['state-index']),
  };

  const inOrder = Object.values(indexes);

  function commit(key: string, old: Item | undefined, item: Item | undefined): void {
    if (item === undefined) items.delete(key);
    else items.set(key, item);
    const at = now();
    for (const index of inOrder) index.write(key, item, at + indexLagMs(), at);
    onChange?.({ key, ...(old === undefined ? {} : { old }), ...(item === undefined ? {} : { new: item }) });
  }

  function write(key: string, change: Change, condition: Condition): WriteAnswer & { item?: Item } {
    const old = items.get(key);
    if (!holds(condition, old)) return { done: false, ...(old === undefined ? {} : { item: old }) };
    const item = checked(changed(key, old, change));
    commit(key, old, item);
    return { done: true, item };
  }

  function writeOne({ key, change, condition }: BatchUpdate): WriteAnswer {
    const answer = write(key, change, [{ attr: PRIMARY_KEY, op: 'exists' }, ...condition]);
    return answer.done ? { done: true } : answer;
  }

  function insertOne(item: Item): WriteAnswer {
    const { pk, ...attributes } = item;
    const answer = write(pk, { set: attributes }, [{ attr: PRIMARY_KEY, op: 'missing' }]);
    return answer.done ? { done: true } : answer;
  }

  return {
    async get(key) {
      return items.get(key);
    },
    async getMany(keys) {
      return [...new Set(keys)].flatMap((key) => items.get(key) ?? []);
    },
    async update({ key, change, condition = [] }) {
      return write(key, change, condition);
    },
    async updateMany(updates) {
      return updates.map((update) => orError(() => writeOne(update)));
    },
    async insertMany(news) {
      return news.map((item) => orError(() => insertOne(item)));
    },
    async delete(key, condition) {
      const old = items.get(key);
      if (old === undefined) return { done: true };
      if (!holds(condition, old)) return { done: false, item: old };
      commit(key, old, undefined);
      return { done: true };
    },
    async query(query) {
      return indexes[query.index].query(query, now());
    },
    async count(query) {
      return indexes[query.index].count(query, now());
    },
  };
}

function orError(write: () => WriteAnswer): WriteAnswer | TableError {
  try {
    return write();
  } catch (error) {
    if (error instanceof TableError) return error;
    throw error;
  }
}

function changed(key: string, old: Item | undefined, change: Change): Item {
  const { set = {}, setIfMissing = {}, add = {}, remove = [] } = change;
  const touched = new Set(remove);
  let changes = remove.length;
  for (const part of [set, setIfMissing, add]) {
    for (const name of Object.keys(part)) {
      touched.add(name);
      changes += 1;
    }
  }
  if (touched.size < changes) throw new TableError(`${key}: one attribute is changed twice`);
  if (touched.has(PRIMARY_KEY)) throw new TableError(`${key}: the key cannot be changed`);
  const attributes: Record<string, Value> = { ...old };
  for (const [name, value] of Object.entries(set)) attributes[name] = frozenCopy(value);
  for (const [name, value] of Object.entries(setIfMissing)) {
    if (attributes[name] === undefined) attributes[name] = frozenCopy(value);
  }
  for (const [name, amount] of Object.entries(add)) {
    const sum = attributes[name] ?? 0;
    if (typeof sum !== 'number') throw new TableError(`${key}: ${name} is no number`);
    attributes[name] = sum + amount;
  }
  for (const name of remove) delete attributes[name];
  return Object.freeze({ ...attributes, pk: key });
}

const SPECS: readonly IndexSpec[] = Object.values(INDEXES);

/** What DynamoDB refuses is refused here too. */
function checked(item: Item): Item {
  if (item.pk === '') throw new TableError('the key is empty');
  for (const { partition, sort } of SPECS) {
    const code = item[partition];
    const order = item[sort];
    if (code !== undefined && (typeof code !== 'string' || code === '')) throw wrongKey(item, partition);
    if (order !== undefined && typeof order !== 'number') throw wrongKey(item, sort);
  }
  if (isTooLarge(item)) throw new TableError(`${item.pk}: larger than 400 kB`);
  return item;
}

function wrongKey(item: Item, attribute: string): TableError {
  return new TableError(`${item.pk}: ${attribute} is not what an index needs`);
}

/** A copy that nobody can change: neither the writer afterwards nor a reader. */
function frozenCopy(value: Value): Value {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new TableError(`${value} is no number of a table`);
  }
  if (isList(value)) return Object.freeze(value.map(frozenCopy));
  if (typeof value !== 'object') throw new TableError(`a table cannot hold ${typeof value}`);
  const copy: Record<string, Value> = {};
  for (const [name, field] of Object.entries(value)) copy[name] = frozenCopy(field);
  return Object.freeze(copy);
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
