import { holds } from './conditions.ts';
import { INDEXES, PRIMARY_KEY } from './keys.ts';
import { changedItem, frozenChange } from './memory-change.ts';
import { createMemoryIndex } from './memory-index.ts';
import type { MemoryIndex } from './memory-index.ts';
import { checkCondition, checkKey, checkQuery, checkRemovals, checkStatement } from './memory-refusals.ts';
import type { BatchUpdate, IndexName, Item, Table, Update, WriteAnswer } from './table.ts';
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

  /** @param check looks at what stands under the key, once the condition holds */
  function write(
    { key, change, condition = [] }: Update,
    check: (old: Item | undefined) => void = () => {},
  ): WriteAnswer & { item?: Item } {
    checkKey(key);
    checkCondition(condition);
    const wanted = frozenChange(key, change);
    const old = items.get(key);
    if (!holds(condition, old)) return { done: false, ...(old === undefined ? {} : { item: old }) };
    check(old);
    const item = changedItem(key, old, wanted);
    commit(key, old, item);
    return { done: true, item };
  }

  function writeOne(update: BatchUpdate): WriteAnswer {
    checkStatement(update);
    const condition = [{ attr: PRIMARY_KEY, op: 'exists' }, ...update.condition] as const;
    const answer = write({ ...update, condition }, (old) => checkRemovals(update, old));
    return answer.done ? { done: true } : answer;
  }

  function insertOne(item: Item): WriteAnswer {
    const { pk, ...attributes } = item;
    const answer = write({ key: pk, change: { set: attributes }, condition: [{ attr: PRIMARY_KEY, op: 'missing' }] });
    return answer.done ? { done: true } : answer;
  }

  function read(key: string): Item | undefined {
    checkKey(key);
    return items.get(key);
  }

  return {
    async get(key) {
      return read(key);
    },
    async getMany(keys) {
      return [...new Set(keys)].flatMap((key) => read(key) ?? []);
    },
    async update(update) {
      return write(update);
    },
    async updateMany(updates) {
      return updates.map((update) => orError(() => writeOne(update)));
    },
    async insertMany(news) {
      return news.map((item) => orError(() => insertOne(item)));
    },
    async delete(key, condition) {
      checkCondition(condition);
      const old = read(key);
      if (old === undefined) return { done: true };
      if (!holds(condition, old)) return { done: false, item: old };
      commit(key, old, undefined);
      return { done: true };
    },
    async query(query) {
      checkQuery(query);
      return indexes[query.index].query(query, now());
    },
    async count(query) {
      checkQuery(query);
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
