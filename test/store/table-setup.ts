import { expect } from '@jest/globals';
import type { Item, Table } from '../../functions/store/table.ts';

export interface TableSetup {
  /** The table, and names in it that no other test uses. */
  readonly fresh: () => { readonly table: Table; readonly key: string; readonly tag: string };
  readonly put: (table: Table, item: Item) => Promise<void>;
}

export function tableSetup(suite: string, make: () => Table): TableSetup {
  let serial = 0;
  return {
    fresh: () => {
      serial += 1;
      const tag = `${suite}-${serial}`;
      return { table: make(), key: `TASK#${tag}`, tag };
    },
    put: async (table, item) => {
      expect(await table.insertMany([item])).toEqual([{ done: true }]);
    },
  };
}
