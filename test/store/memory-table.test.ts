import { describe, expect, test } from '@jest/globals';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import type { TableChange } from '../../functions/store/memory-table.ts';
import { tableContract } from './table-contract.ts';

tableContract('memory', () => createMemoryTable());

describe('memory table', () => {
  test('hands out what nobody can change', async () => {
    const table = createMemoryTable();
    const mine = { list: [{ n: 1 }] };
    await table.update({ key: 'TASK#a', change: { set: { mine } } });
    mine.list.push({ n: 2 });
    const read = await table.get('TASK#a');
    expect(read).toEqual({ pk: 'TASK#a', mine: { list: [{ n: 1 }] } });
    expect(Object.isFrozen(read)).toBe(true);
    expect(Object.isFrozen(read?.['mine'])).toBe(true);
    expect(() => Object.assign(read ?? {}, { mine: 1 })).toThrow(TypeError);
  });

  test('gives the same object until it is written', async () => {
    const table = createMemoryTable();
    await table.insertMany([{ pk: 'TARGET#a', shardcode: 'q#1', wake_at: 1 }]);
    const { items } = await table.query({ index: 'shardcode-index', partition: 'q#1' });
    expect(items[0]).toBe(await table.get('TARGET#a'));
  });

  test('tells of every commit and of nothing else', async () => {
    const told: TableChange[] = [];
    const table = createMemoryTable({ onChange: (change) => told.push(change) });
    const key = 'TASK#a';
    await table.update({ key, change: { set: { n: 1 } } });
    await table.update({ key, change: { set: { n: 2 } }, condition: [{ attr: 'n', op: '=', value: 9 }] });
    await table.insertMany([{ pk: key, n: 3 }]);
    await table.updateMany([{ key, change: { set: { n: 4 } }, condition: [] }]);
    await table.delete(key, [{ attr: 'n', op: '=', value: 9 }]);
    await table.delete(key, []);
    await table.delete(key, []);
    expect(told).toEqual([
      { key, new: { pk: key, n: 1 } },
      { key, old: { pk: key, n: 1 }, new: { pk: key, n: 4 } },
      { key, old: { pk: key, n: 4 } },
    ]);
  });

  describe('index lag', () => {
    const lagging = () => {
      const clock = { now: 1000, lag: 500 };
      const table = createMemoryTable({ now: () => clock.now, indexLagMs: () => clock.lag });
      const shown = async () => (await table.query({ index: 'shardcode-index', partition: 'q#1' })).items;
      return { clock, table, shown };
    };

    test('an index shows a write only after the lag; the table shows it at once', async () => {
      const { clock, table, shown } = lagging();
      await table.insertMany([{ pk: 'TARGET#a', shardcode: 'q#1', wake_at: 1 }]);
      expect(await table.get('TARGET#a')).toBeDefined();
      expect(await shown()).toEqual([]);
      expect(await table.count({ index: 'shardcode-index', partition: 'q#1' })).toBe(0);
      clock.now = 1499;
      expect(await shown()).toEqual([]);
      clock.now = 1500;
      expect(await shown()).toHaveLength(1);
    });

    test('shows what was until then: an old value, a deleted item', async () => {
      const { clock, table, shown } = lagging();
      await table.insertMany([{ pk: 'TARGET#a', shardcode: 'q#1', wake_at: 1, n: 1 }]);
      clock.now = 2000;
      await table.update({ key: 'TARGET#a', change: { set: { n: 2 } } });
      clock.now = 2100;
      await table.delete('TARGET#a', []);
      expect(await shown()).toMatchObject([{ n: 1 }]);
      clock.now = 2500;
      expect(await shown()).toMatchObject([{ n: 2 }]);
      clock.now = 2600;
      expect(await shown()).toEqual([]);
    });

    test('the writes of one item show in their order though the lag shrinks; others overtake', async () => {
      const { clock, table, shown } = lagging();
      await table.insertMany([{ pk: 'TARGET#a', shardcode: 'q#1', wake_at: 1, n: 1 }]);
      clock.lag = 0;
      await table.update({ key: 'TARGET#a', change: { set: { n: 2 } } });
      await table.insertMany([{ pk: 'TARGET#b', shardcode: 'q#1', wake_at: 2 }]);
      expect((await shown()).map(({ pk }) => pk)).toEqual(['TARGET#b']);
      clock.now = 1500;
      expect(await shown()).toMatchObject([{ pk: 'TARGET#a', n: 2 }, { pk: 'TARGET#b' }]);
    });
  });
});
