/** Counts what a stage's table is asked for, in DynamoDB's units, by kind of record. */
import { itemBytes } from '../functions/store/item-size.ts';
import { PREFIXES } from '../functions/store/keys.ts';
import type { TableChange } from '../functions/store/memory-table.ts';
import type { Item, Query, Table, TableError, WriteAnswer } from '../functions/store/table.ts';
import { refusedUnits, writeUnits } from './write-units.ts';

/** DynamoDB reads in steps of so many bytes. */
const READ_STEP = 4096;

type Kind = keyof typeof PREFIXES;

export interface Meter {
  /** Where it counts reads and refused writes: the table under all invocations. */
  readonly table: (table: Table) => Table;
  /** Where it counts committed writes. */
  readonly onChange: (change: TableChange) => void;
  /** @returns the write units of the records of these kinds, indexes included; of all records without one. */
  writes(...kinds: readonly Kind[]): number;
  /** @returns all read units. */
  reads(): number;
}

export function createMeter(): Meter {
  const written = new Map<string, number>();
  const sizes = new WeakMap<Item, number>();
  let reads = 0;

  const sizeOf = (item: Item): number => {
    const size = sizes.get(item) ?? itemBytes(item);
    sizes.set(item, size);
    return size;
  };
  const add = (key: string, units: number): void => {
    const kind = kindOf(key);
    written.set(kind, (written.get(kind) ?? 0) + units);
  };
  /** A strongly consistent read of one item. */
  const readOne = (item: Item | undefined): void => {
    reads += Math.max(1, Math.ceil((item === undefined ? 0 : sizeOf(item)) / READ_STEP));
  };
  /** An eventually consistent one of a page of an index: half the price. */
  const readPage = (items: readonly Item[]): void => {
    const bytes = items.reduce((sum, item) => sum + sizeOf(item), 0);
    reads += Math.max(1, Math.ceil(bytes / READ_STEP)) / 2;
  };
  const refused = (key: string, answer: WriteAnswer | TableError): void => {
    if ('done' in answer && !answer.done) add(key, refusedUnits(answer.item));
  };

  function metered(table: Table): Table {
    return {
      async get(key) {
        const item = await table.get(key);
        readOne(item);
        return item;
      },
      async getMany(keys) {
        const items = await table.getMany(keys);
        for (const item of items) readOne(item);
        return items;
      },
      async query(query) {
        const page = await table.query(query);
        readPage(query.without === undefined && query.only === undefined ? page.items : await unfiltered(table, query));
        return page;
      },
      async count(query) {
        readPage(await unfiltered(table, query));
        return table.count(query);
      },
      async update(update) {
        const answer = await table.update(update);
        refused(update.key, answer);
        return answer;
      },
      async updateMany(updates) {
        const answers = await table.updateMany(updates);
        updates.forEach(({ key }, index) => refused(key, answers[index] ?? { done: true }));
        return answers;
      },
      async insertMany(items) {
        const answers = await table.insertMany(items);
        items.forEach(({ pk }, index) => refused(pk, answers[index] ?? { done: true }));
        return answers;
      },
      async delete(key, condition) {
        const answer = await table.delete(key, condition);
        refused(key, answer);
        return answer;
      },
    };
  }

  return {
    table: metered,
    onChange(change) {
      const { base, indexes } = writeUnits(change);
      add(change.key, base + indexes);
    },
    writes: (...kinds) => {
      const all = [...written].filter(([kind]) => kinds.length === 0 || kinds.some((one) => one === kind));
      return all.reduce((sum, [, units]) => sum + units, 0);
    },
    reads: () => reads,
  };
}

/** What a filter leaves out is read all the same. */
async function unfiltered(table: Table, { without: _w, only: _o, ...query }: Query): Promise<readonly Item[]> {
  return (await table.query(query)).items;
}

function kindOf(key: string): string {
  return Object.entries(PREFIXES).find(([, prefix]) => key.startsWith(prefix))?.[0] ?? key;
}
