import { describe, expect, test } from '@jest/globals';
import type { Item, Value } from '../../functions/store/table.ts';
import type { TableSetup } from './table-setup.ts';

/** How every Table answers queries of its indexes. */
export function tableIndexesContract({ fresh, put }: TableSetup): void {
  describe('indexes', () => {
    const seeded = async (count: number) => {
      const { table, tag } = fresh();
      const items = Array.from({ length: count }, (_, n) => ({
        pk: `TARGET#${tag}-${n}`,
        shardcode: tag,
        wake_at: (n + 1) * 10,
        ...(n % 3 === 0 ? { dormant: 1 } : {}),
        ...(n % 2 === 0 ? { even: true } : {}),
      }));
      await table.insertMany(items);
      return { table, tag, items };
    };
    const wakes = (items: readonly Item[]): Value[] => items.map((item) => item['wake_at'] ?? null);

    test('a query is sorted, its bounds are inclusive, and it knows its own partition only', async () => {
      const { table, tag, items } = await seeded(6);
      await seeded(2);
      const base = { index: 'shardcode-index', partition: tag } as const;
      expect((await table.query(base)).items).toEqual(items);
      expect(wakes((await table.query({ ...base, from: 20, to: 40 })).items)).toEqual([20, 30, 40]);
      expect(wakes((await table.query({ ...base, to: 20 })).items)).toEqual([10, 20]);
      expect(wakes((await table.query({ ...base, from: 50 })).items)).toEqual([50, 60]);
      expect(wakes((await table.query({ ...base, from: 20, descending: true })).items)).toEqual([60, 50, 40, 30, 20]);
      expect((await table.query({ ...base, from: 50, to: 40 })).items).toEqual([]);
      expect((await table.query({ ...base, partition: `${tag}-other` })).items).toEqual([]);
    });

    test.each([false, true])('pages hold every item once, descending %s', async (descending) => {
      const { table, tag } = await seeded(7);
      const base = { index: 'shardcode-index', partition: tag, limit: 3, descending } as const;
      const seen: Value[] = [];
      let page = await table.query(base);
      while (page.items.length > 0) {
        seen.push(...wakes(page.items));
        if (page.next === undefined) break;
        page = await table.query({ ...base, next: page.next });
      }
      const ascending = [10, 20, 30, 40, 50, 60, 70];
      expect(seen).toEqual(descending ? ascending.toReversed() : ascending);
    });

    test('9 MB are read whole: many keys together, and page by page, however small the answers are', async () => {
      const { table, tag } = fresh();
      const items = Array.from({ length: 26 }, (_, n) => ({
        pk: `TARGET#${tag}-${n}`,
        shardcode: tag,
        wake_at: n,
        text: 'x'.repeat(350_000),
      }));
      for (const item of items) await put(table, item);
      const keys = items.map(({ pk }) => pk);
      expect((await table.getMany(keys)).map(({ pk }) => pk).toSorted()).toEqual(keys.toSorted());
      const base = { index: 'shardcode-index', partition: tag } as const;
      let page = await table.query(base);
      const seen = wakes(page.items);
      while (page.next !== undefined) {
        page = await table.query({ ...base, next: page.next });
        seen.push(...wakes(page.items));
      }
      expect(seen).toEqual(items.map(({ wake_at }) => wake_at));
      expect(await table.count(base)).toBe(26);
    });

    test('a page goes on where it was though its last item has left', async () => {
      const { table, tag } = await seeded(4);
      const base = { index: 'shardcode-index', partition: tag } as const;
      const page = await table.query({ ...base, limit: 2 });
      await table.delete(page.items[1]?.pk ?? '', []);
      if (page.next === undefined) throw new Error('there is more');
      expect(wakes((await table.query({ ...base, next: page.next })).items)).toEqual([30, 40]);
    });

    test('count counts what a query would return, over bounds, with and without an attribute', async () => {
      const { table, tag } = await seeded(6);
      const base = { index: 'shardcode-index', partition: tag } as const;
      expect(await table.count(base)).toBe(6);
      expect(await table.count({ ...base, from: 20, to: 50 })).toBe(4);
      expect(await table.count({ ...base, without: ['dormant'] })).toBe(4);
      expect(await table.count({ ...base, without: ['dormant', 'even'] })).toBe(2);
      expect(await table.count({ ...base, only: 'even' })).toBe(3);
      expect(await table.count({ ...base, only: 'even', without: ['dormant'] })).toBe(2);
      expect(await table.count({ ...base, from: 50, to: 20 })).toBe(0);
      expect(wakes((await table.query({ ...base, without: ['dormant'] })).items)).toEqual([20, 30, 50, 60]);
      expect(wakes((await table.query({ ...base, only: 'even', from: 20 })).items)).toEqual([30, 50]);
    });

    test('an item is in an index only while it has both attributes, and moves with them', async () => {
      const { table, tag, key } = fresh();
      const inIndex = async () => (await table.query({ index: 'hashcode-index', partition: tag })).items;
      await put(table, { pk: key, hashcode: tag });
      expect(await inIndex()).toEqual([]);
      await table.update({ key, change: { set: { deadline: 5 } } });
      expect(await inIndex()).toEqual([{ pk: key, hashcode: tag, deadline: 5 }]);
      await table.update({ key, change: { set: { deadline: 7, extra: 'x' } } });
      expect(await inIndex()).toEqual([{ pk: key, hashcode: tag, deadline: 7, extra: 'x' }]);
      await table.update({ key, change: { set: { hashcode: `${tag}-b` } } });
      expect(await inIndex()).toEqual([]);
      await table.update({ key, change: { set: { hashcode: tag } } });
      expect(await inIndex()).toHaveLength(1);
      await table.update({ key, change: { remove: ['hashcode'] } });
      expect(await inIndex()).toEqual([]);
    });

    test('state-index holds keys only', async () => {
      const { table, tag, key } = fresh();
      await put(table, { pk: key, state_partition: tag, updated_at: 3, secret: 'x', hashcode: tag, deadline: 1 });
      const page = await table.query({ index: 'state-index', partition: tag });
      expect(page.items).toEqual([{ pk: key, state_partition: tag, updated_at: 3 }]);
    });
  });
}
