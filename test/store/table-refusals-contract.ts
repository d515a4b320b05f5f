import { describe, expect, test } from '@jest/globals';
import type { Condition, Item, Table, Value } from '../../functions/store/table.ts';
import { TableError } from '../../functions/store/table.ts';
import type { Kindness } from './kinder.ts';
import type { TableSetup } from './table-setup.ts';

/** Asks for what must be refused: rejects, or answers with a TableError. `key` is an item `{ n: 5, text: 'm' }`. */
type Ask = (table: Table, key: string) => Promise<unknown>;

/** What DynamoDB refuses, by the name under which an implementation may be excused. */
const REFUSALS = {
  'a number below 1e-130': setting(1e-131),
  'a number below -1e-130, deep inside': setting({ list: [{ n: -1e-200 }] }),
  'a number above 2^53 - 1, which the SDK neither writes nor reads': setting(2 ** 53),
  'a number that is none': setting(Number.NaN),
  'a number without end': setting(Number.POSITIVE_INFINITY),
  'an undefined value': setting({ deep: undefined as unknown as Value }),
  'an addition that is too small': (table, key) => table.update({ key, change: { add: { n: 1e-131 } } }),
  'an addition to a text': (table, key) => table.update({ key, change: { add: { text: 1 } } }),
  'a comparison with a number that is too small': comparing([{ attr: 'n', op: '>', value: 1e-131 }]),
  'alternatives of which there are none': comparing([{ any: [] }]),
  'lists within each other, 33 deep': setting(nested(33)),
  'more than 400 kB': setting('x'.repeat(410_000)),
  'more than 400 kB in characters of three bytes': setting('€'.repeat(140_000)),
  'the key changed': (table, key) => table.update({ key, change: { set: { pk: 'another' } } }),
  'one attribute changed twice': (table, key) => table.update({ key, change: { set: { n: 1 }, remove: ['n'] } }),
  'an empty key to write': (table) => table.update({ key: '', change: { set: { a: 1 } } }),
  'an empty key to insert': (table) => table.insertMany([{ pk: '' }]),
  'an empty key to read': (table) => table.get(''),
  'an empty key among many to read': (table, key) => table.getMany([key, '']),
  'an empty key to delete': (table) => table.delete('', []),
  'a key of 2,049 bytes to write': (table, key) => table.update({ key: padded(key, 2049), change: { set: { a: 1 } } }),
  'a key of 2,049 bytes to insert': (table, key) => table.insertMany([{ pk: padded(key, 2049) }]),
  'a key of 2,049 bytes to read': (table, key) => table.get(padded(key, 2049)),
  'a key of more than 2,048 bytes in fewer characters': (table, key) => table.get(`${key}${'€'.repeat(700)}`),
  'an index partition that is a number': inserting({ shardcode: 7 }),
  'an index sort that is a text': inserting({ wake_at: 'soon' }),
  'an index partition set to a number': setting(7, 'shardcode'),
  'an index partition that is empty': inserting({ hashcode: '' }),
  'an index partition of 2,049 bytes': inserting({ hashcode: 'x'.repeat(2049) }),
  'a query of an empty partition': (table) => table.query({ index: 'state-index', partition: '' }),
  'a count of an empty partition': (table) => table.count({ index: 'state-index', partition: '' }),
  'a query of no item a page': (table, key) => table.query({ index: 'state-index', partition: key, limit: 0 }),
  'a query from a number that is too small': (table, key) =>
    table.query({ index: 'state-index', partition: key, from: 1e-131 }),
  'a statement that changes nothing': (table, key) => table.updateMany([{ key, change: {}, condition: [] }]),
  'a statement that removes what is not there': (table, key) =>
    table.updateMany([{ key, change: { set: { n: 6 }, remove: ['never-there'] }, condition: [] }]),
  'a statement with a number that is too small': (table, key) =>
    table.updateMany([{ key, change: { set: { n: 1e-131 } }, condition: [] }]),
} satisfies Readonly<Record<string, Ask>>;

export type Refusal = keyof typeof REFUSALS;

/** What no Table does: it says so with a TableError, and nothing changes. What it takes in the end is as DynamoDB takes it. */
export function tableRefusalsContract({ fresh, put }: TableSetup, kinder: Kindness): void {
  describe('refused', () => {
    test.each(Object.entries<Ask>(REFUSALS))('%s', async (name, ask) => {
      const { table, key } = fresh();
      const item = { pk: key, n: 5, text: 'm' };
      await put(table, item);
      const refused = await isRefused(() => ask(table, key));
      // An excuse that is no longer needed has to go.
      expect(refused).toBe(!(name in kinder));
      expect(refused ? await table.get(key) : item).toEqual(item);
    });
  });

  describe('taken, up to the limit', () => {
    test.each<[string, Value]>([
      ['the smallest number', 1e-130],
      ['the largest number', Number.MAX_SAFE_INTEGER],
      ['a number with 17 digits', -0.12345678901234568],
      ['0', 0],
      ['lists within each other, 32 deep', nested(32)],
      ['an empty text, list and map', { text: '', list: [], map: {} }],
    ])('%s', async (_, value) => {
      const { table, key } = fresh();
      await put(table, { pk: key, value });
      expect(await table.get(key)).toEqual({ pk: key, value });
    });

    test('-0 is 0', async () => {
      const { table, key } = fresh();
      await put(table, { pk: key, n: -0 });
      expect(await table.get(key)).toEqual({ pk: key, n: 0 });
    });

    test('a key of 2,048 bytes, of the table and of an index', async () => {
      const { table, key, tag } = fresh();
      const [pk, hashcode] = [padded(key, 2048), padded(tag, 2048)];
      await put(table, { pk, hashcode, deadline: 1 });
      expect(await table.query({ index: 'hashcode-index', partition: hashcode })).toMatchObject({ items: [{ pk }] });
    });

    test('an update that changes nothing, and one that removes what is not there', async () => {
      const { table, key } = fresh();
      expect(await table.update({ key, change: {} })).toEqual({ done: true, item: { pk: key } });
      expect(await table.update({ key, change: { remove: ['never-there'] } })).toEqual({
        done: true,
        item: { pk: key },
      });
    });

    test('a statement that only removes, of what is there', async () => {
      const { table, key } = fresh();
      await put(table, { pk: key, n: 5, text: 'm' });
      expect(await table.updateMany([{ key, change: { remove: ['n'] }, condition: [] }])).toEqual([{ done: true }]);
      expect(await table.get(key)).toEqual({ pk: key, text: 'm' });
    });

    test('a statement whose condition fails is answered so, whatever it would remove', async () => {
      const { table, key } = fresh();
      await put(table, { pk: key, n: 5 });
      const condition = [{ attr: 'n', op: '=', value: 6 }] as const;
      const answers = await table.updateMany([{ key, change: { remove: ['never-there'] }, condition }]);
      expect(answers).toEqual([{ done: false, item: { pk: key, n: 5 } }]);
    });
  });
}

async function isRefused(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    const answer = await ask();
    return Array.isArray(answer) && answer.some((one) => one instanceof TableError);
  } catch (error) {
    if (error instanceof TableError) return true;
    throw error;
  }
}

function setting(value: Value, attribute = 'bad'): Ask {
  return (table, key) => table.update({ key, change: { set: { [attribute]: value } } });
}

function inserting(fields: Omit<Item, 'pk'>): Ask {
  return (table, key) => table.insertMany([{ pk: `${key}-bad`, ...fields }]);
}

function comparing(condition: Condition): Ask {
  return (table, key) => table.update({ key, change: { set: { n: 6 } }, condition });
}

function padded(text: string, bytes: number): string {
  return text.padEnd(bytes, 'x');
}

/** A value that has so many levels, the attribute's own counted. */
function nested(levels: number): Value {
  return levels === 1 ? [] : [nested(levels - 1)];
}
