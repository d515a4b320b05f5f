import { describe, expect, test } from '@jest/globals';
import type { Clause, Condition, Item, Table, Value } from '../../functions/store/table.ts';
import { TableError } from '../../functions/store/table.ts';

/** What every Table must do. `make` gives a table; keys and partitions are this suite's own, so one table may serve all. */
export function tableContract(name: string, make: () => Table): void {
  let serial = 0;
  const fresh = (): { table: Table; key: string; tag: string } => {
    serial += 1;
    const tag = `${name}-${serial}`;
    return { table: make(), key: `TASK#${tag}`, tag };
  };
  const put = async (table: Table, item: Item): Promise<void> => {
    expect(await table.insertMany([item])).toEqual([{ done: true }]);
  };

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

  describe('conditions', () => {
    const item = { n: 5, text: 'm', yes: true };
    const cases: readonly [string, Condition, boolean][] = [
      ['=', [{ attr: 'n', op: '=', value: 5 }], true],
      ['= of another value', [{ attr: 'n', op: '=', value: 6 }], false],
      ['= of another type', [{ attr: 'n', op: '=', value: '5' }], false],
      ['= of a text', [{ attr: 'text', op: '=', value: 'm' }], true],
      ['= of a boolean', [{ attr: 'yes', op: '=', value: true }], true],
      ['<>', [{ attr: 'n', op: '<>', value: 6 }], true],
      ['<> of the value', [{ attr: 'n', op: '<>', value: 5 }], false],
      ['<', [{ attr: 'n', op: '<', value: 6 }], true],
      ['< of the value', [{ attr: 'n', op: '<', value: 5 }], false],
      ['<=', [{ attr: 'n', op: '<=', value: 5 }], true],
      ['<= of less', [{ attr: 'n', op: '<=', value: 4 }], false],
      ['>', [{ attr: 'n', op: '>', value: 4 }], true],
      ['> of the value', [{ attr: 'n', op: '>', value: 5 }], false],
      ['>=', [{ attr: 'n', op: '>=', value: 5 }], true],
      ['>= of more', [{ attr: 'n', op: '>=', value: 6 }], false],
      ['> of another type', [{ attr: 'text', op: '>', value: 1 }], false],
      ['order of texts', [{ attr: 'text', op: '>', value: 'lima' }], true],
      ['exists', [{ attr: 'n', op: 'exists' }], true],
      ['exists, missing', [{ attr: 'x', op: 'exists' }], false],
      ['missing', [{ attr: 'x', op: 'missing' }], true],
      ['missing, there', [{ attr: 'n', op: 'missing' }], false],
      ...(['=', '<>', '<', '<=', '>', '>='] as const).map((op): [string, Condition, boolean] => [
        `${op} with a missing attribute`,
        [{ attr: 'x', op, value: 1 }],
        false,
      ]),
      [
        'all hold',
        [
          { attr: 'n', op: '=', value: 5 },
          { attr: 'yes', op: '=', value: true },
        ],
        true,
      ],
      [
        'not all hold',
        [
          { attr: 'n', op: '=', value: 5 },
          { attr: 'yes', op: '=', value: false },
        ],
        false,
      ],
    ];
    const only: readonly [string, Condition, boolean][] = [
      ['none', [], true],
      [
        'any',
        [
          {
            any: [
              { attr: 'x', op: 'missing' },
              { attr: 'x', op: '<', value: 3 },
            ],
          },
        ],
        true,
      ],
      [
        'any, second',
        [
          {
            any: [
              { attr: 'n', op: 'missing' },
              { attr: 'n', op: '<', value: 6 },
            ],
          },
        ],
        true,
      ],
      [
        'any, none',
        [
          {
            any: [
              { attr: 'n', op: 'missing' },
              { attr: 'n', op: '<', value: 5 },
            ],
          },
        ],
        false,
      ],
      ['any and more', [{ any: [{ attr: 'x', op: 'missing' }] }, { attr: 'n', op: '=', value: 6 }], false],
    ];

    test.each([...cases, ...only])('update: %s', async (_, condition, holds) => {
      const { table, key } = fresh();
      await put(table, { pk: key, ...item });
      const { done } = await table.update({ key, change: { set: { w: 1 } }, condition });
      expect(done).toBe(holds);
    });

    test('updateMany and delete judge by the same rules', async () => {
      const { table, tag } = fresh();
      const keys = cases.map((_, n) => `TASK#${tag}-${n}`);
      await table.insertMany(keys.map((pk) => ({ pk, ...item })));
      const clauses = cases.map(([, condition]) => condition.filter((part): part is Clause => !('any' in part)));
      const answers = await table.updateMany(
        keys.map((key, n) => ({ key, change: { set: { w: 1 } }, condition: clauses[n] ?? [] })),
      );
      expect(answers.map((answer) => 'done' in answer && answer.done)).toEqual(cases.map(([, , holds]) => holds));
      const deletes = await Promise.all(keys.map((key, n) => table.delete(key, clauses[n] ?? [])));
      expect(deletes.map(({ done }) => done)).toEqual(cases.map(([, , holds]) => holds));
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
        { pk: `${key}-a`, shardcode: 7, wake_at: 1 },
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

  describe('indexes', () => {
    const seeded = async (count: number) => {
      const { table, tag } = fresh();
      const items = Array.from({ length: count }, (_, n) => ({
        pk: `TARGET#${tag}-${n}`,
        shardcode: tag,
        wake_at: (n + 1) * 10,
        ...(n % 3 === 0 ? { dormant: 1 } : {}),
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

    test('a page goes on where it was though its last item has left', async () => {
      const { table, tag } = await seeded(4);
      const base = { index: 'shardcode-index', partition: tag } as const;
      const page = await table.query({ ...base, limit: 2 });
      await table.delete(page.items[1]?.pk ?? '', []);
      if (page.next === undefined) throw new Error('there is more');
      expect(wakes((await table.query({ ...base, next: page.next })).items)).toEqual([30, 40]);
    });

    test('count counts what a query would return, over bounds and without an attribute', async () => {
      const { table, tag } = await seeded(6);
      const base = { index: 'shardcode-index', partition: tag } as const;
      expect(await table.count(base)).toBe(6);
      expect(await table.count({ ...base, from: 20, to: 50 })).toBe(4);
      expect(await table.count({ ...base, without: 'dormant' })).toBe(4);
      expect(await table.count({ ...base, from: 50, to: 20 })).toBe(0);
      expect(wakes((await table.query({ ...base, without: 'dormant' })).items)).toEqual([20, 30, 50, 60]);
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

  describe('limits', () => {
    test('an item of more than 400 kB is refused', async () => {
      const { table, key } = fresh();
      const update = table.update({ key, change: { set: { text: 'x'.repeat(410_000) } } });
      await expect(update).rejects.toBeInstanceOf(TableError);
      expect(await table.get(key)).toBeUndefined();
    });

    test('an empty key is refused', async () => {
      const { table } = fresh();
      await expect(table.update({ key: '', change: { set: { a: 1 } } })).rejects.toBeInstanceOf(TableError);
    });

    test('a value that no table holds is refused', async () => {
      const { table, key } = fresh();
      for (const bad of [undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 1]) {
        const set = { bad: { deep: bad as unknown as Value } };
        await expect(table.update({ key, change: { set } })).rejects.toBeInstanceOf(TableError);
      }
    });
  });
}
