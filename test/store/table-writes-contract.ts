import { describe, expect, test } from '@jest/globals';
import { TableError } from '../../functions/store/table.ts';
import type { TableSetup } from './table-setup.ts';

/** How every Table reads and writes items. */
export function tableWritesContract({ fresh, put }: TableSetup): void {
  describe('update', () => {
    test('creates an item where there is none and no condition, and answers with it', async () => {
      const { table, key } = fresh();
      const nested = { list: [1, 'two', null, { deep: true }], empty: {}, text: '' };
      const answer = await table.update({ key, change: { set: { a: 1, nested } } });
      expect(answer).toEqual({ done: true, item: { pk: key, a: 1, nested } });
      expect(await table.get(key)).toEqual({ pk: key, a: 1, nested });
    });

    test('sets, removes, adds, and sets only what is missing', async () => {
      const { table, key } = fresh();
      await put(table, { pk: key, state: 'old', count: 4, gone: true, kept: 'first' });
      const answer = await table.update({
        key,
        change: {
          set: { state: 'new' },
          add: { count: 3, fresh: 1 },
          remove: ['gone', 'never-there'],
          setIfMissing: { kept: 'second', other: 'second' },
        },
      });
      const item = { pk: key, state: 'new', count: 7, fresh: 1, kept: 'first', other: 'second' };
      expect(answer).toEqual({ done: true, item });
    });

    test('a failed condition changes nothing and answers with what stands', async () => {
      const { table, key } = fresh();
      await put(table, { pk: key, rev: 2 });
      const update = { key, change: { set: { rev: 9 } }, condition: [{ attr: 'rev', op: '=', value: 1 }] as const };
      expect(await table.update(update)).toEqual({ done: false, item: { pk: key, rev: 2 } });
      expect(await table.get(key)).toEqual({ pk: key, rev: 2 });
    });

    test('a failed condition on an item that is missing answers without one and creates none', async () => {
      const { table, key } = fresh();
      const condition = [{ attr: 'pk', op: 'exists' }] as const;
      expect(await table.update({ key, change: { set: { a: 1 } }, condition })).toEqual({ done: false });
      expect(await table.get(key)).toBeUndefined();
    });

    test('of two writers who have seen one rev, one wins', async () => {
      const { table, key } = fresh();
      await put(table, { pk: key, rev: 1 });
      const write = (by: string) =>
        table.update({ key, change: { set: { rev: 2, by } }, condition: [{ attr: 'rev', op: '=', value: 1 }] });
      const answers = await Promise.all([write('a'), write('b')]);
      expect(answers.filter(({ done }) => done)).toHaveLength(1);
      expect(answers[0]?.item?.['by']).toBe(answers[1]?.item?.['by']);
    });

    test('a number cannot be added to a text', async () => {
      const { table, key } = fresh();
      await put(table, { pk: key, rev: 'broken' });
      await expect(table.update({ key, change: { add: { rev: 1 } } })).rejects.toBeInstanceOf(TableError);
    });
  });

  describe('updateMany', () => {
    test('60 updates: each has its own condition, its own answer, in order', async () => {
      const { table, tag } = fresh();
      const keys = Array.from({ length: 60 }, (_, n) => `TASK#${tag}-${n}`);
      await table.insertMany(keys.map((pk, n) => ({ pk, rev: n % 7 === 0 ? 2 : 1, old: 'x' })));
      const answers = await table.updateMany(
        keys.map((key, n) => ({
          key,
          change: { set: { rev: 2, state: 'done', history: [{ at: n }] }, remove: ['old'] },
          condition: [{ attr: 'rev', op: '=', value: 1 }] as const,
        })),
      );
      expect(answers).toEqual(
        keys.map((pk, n) => (n % 7 === 0 ? { done: false, item: { pk, rev: 2, old: 'x' } } : { done: true })),
      );
      const items = await table.getMany(keys);
      expect(items.filter((item) => item['state'] === 'done' && item['old'] === undefined)).toHaveLength(51);
    });

    test('never creates an item', async () => {
      const { table, key } = fresh();
      expect(await table.updateMany([{ key, change: { set: { a: 1 } }, condition: [] }])).toEqual([{ done: false }]);
      expect(await table.get(key)).toBeUndefined();
    });

    test('one key twice: the first one first', async () => {
      const { table, key } = fresh();
      await put(table, { pk: key, rev: 1 });
      const step = (from: number) => ({
        key,
        change: { set: { rev: from + 1 } },
        condition: [{ attr: 'rev', op: '=', value: from }] as const,
      });
      expect(await table.updateMany([step(1), step(2), step(2)])).toEqual([
        { done: true },
        { done: true },
        { done: false, item: { pk: key, rev: 3 } },
      ]);
    });
  });

  describe('insertMany', () => {
    test('puts what is new and shows what stands in the way', async () => {
      const { table, tag } = fresh();
      const items = Array.from({ length: 30 }, (_, n) => ({ pk: `TASK#${tag}-${n}`, n, tags: { a: ['b'] } }));
      await put(table, { pk: `TASK#${tag}-4`, n: 'earlier' });
      const answers = await table.insertMany(items);
      expect(answers.map((answer) => 'done' in answer && answer.done)).toEqual(items.map(({ n }) => n !== 4));
      expect(answers[4]).toEqual({ done: false, item: { pk: `TASK#${tag}-4`, n: 'earlier' } });
      expect(await table.get(`TASK#${tag}-29`)).toEqual(items[29]);
    });

    test('one key twice: the first one is put', async () => {
      const { table, key } = fresh();
      const answers = await table.insertMany([
        { pk: key, n: 1 },
        { pk: key, n: 2 },
      ]);
      expect(answers).toEqual([{ done: true }, { done: false, item: { pk: key, n: 1 } }]);
    });

    test('what the table refuses fails alone', async () => {
      const { table, key, tag } = fresh();
      const answers = await table.insertMany([
        { pk: `${key}-a`, text: 'x'.repeat(410_000) },
        { pk: `${key}-b`, shardcode: tag, wake_at: 1 },
      ]);
      expect(answers[0]).toBeInstanceOf(TableError);
      expect(answers[1]).toEqual({ done: true });
    });
  });

  describe('delete', () => {
    test('deletes; is done also when the item is gone; not when the condition fails', async () => {
      const { table, key } = fresh();
      const condition = [{ attr: 'rev', op: '=', value: 2 }] as const;
      await put(table, { pk: key, rev: 1 });
      expect(await table.delete(key, condition)).toEqual({ done: false, item: { pk: key, rev: 1 } });
      await table.update({ key, change: { add: { rev: 1 } } });
      expect(await table.delete(key, condition)).toEqual({ done: true });
      expect(await table.get(key)).toBeUndefined();
      expect(await table.delete(key, condition)).toEqual({ done: true });
    });
  });

  test('getMany reads any number of keys, each once', async () => {
    const { table, tag } = fresh();
    const keys = Array.from({ length: 130 }, (_, n) => `TASK#${tag}-${n}`);
    await table.insertMany(keys.map((pk) => ({ pk })));
    const items = await table.getMany([...keys, keys[0] ?? '', `TASK#${tag}-nothing`]);
    expect(new Set(items.map(({ pk }) => pk))).toEqual(new Set(keys));
    expect(items).toHaveLength(130);
    expect(await table.getMany([])).toEqual([]);
  });
}
