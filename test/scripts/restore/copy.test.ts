import { describe, expect, test } from '@jest/globals';
import type { Item } from '../../../functions/store/table.ts';
import { readTask, taskItem } from '../../../functions/store/task-item.ts';
import { restore } from '../../../scripts/restore/copy.ts';
import type { Counts, Kind } from '../../../scripts/restore/copy.ts';
import { aTask, T0 } from '../../support/tasks.ts';

/** A backup, and a table that takes an item where it has none of its key. */
function tables(backup: readonly Item[], there: readonly Item[] = []) {
  const table = new Map(there.map((item) => [item.pk, item]));
  const order: string[] = [];
  const told: [Kind, Counts][] = [];
  const deps = {
    async *read(prefix: string) {
      for (const item of backup) if (item.pk.startsWith(prefix)) yield await Promise.resolve(item);
    },
    insert: (item: Item) => {
      if (table.has(item.pk)) return Promise.resolve(false);
      table.set(item.pk, item);
      order.push(item.pk);
      return Promise.resolve(true);
    },
    report: (kind: Kind, counts: Counts) => void told.push([kind, counts]),
    now: () => T0 + 5000,
  };
  return { table, order, told, deps };
}

const QUEUE = { pk: 'QUEUE#default', rev: 4, name: 'default', idle: true, active_at: T0 };
const TARGET = { pk: 'TARGET#default#smart#42', rev: 2 };
const SHARD = { pk: 'SHARD#default#3', lease_until: T0 };
const waiting = taskItem(aTask());
const ended = taskItem(aTask({}, { id: 'b', state: 'failed', ended_at: T0 }));

describe('restore', () => {
  test('brings queues, then targets, then tasks, and leaves the workers’ records behind', async () => {
    const { deps, order, told } = tables([waiting, SHARD, TARGET, ended, QUEUE]);
    const counts = await restore(deps);
    expect(order).toEqual(['QUEUE#default', 'TARGET#default#smart#42', 'TASK#a', 'TASK#b']);
    expect(counts.task).toEqual({ brought: 2, kept: 0 });
    expect(told.map(([kind]) => kind)).toEqual(['queue', 'target', 'task']);
  });

  test('wakes queues, marks ends, and changes nothing else', async () => {
    const { deps, table } = tables([waiting, TARGET, ended, QUEUE]);
    await restore(deps);
    expect(table.get('QUEUE#default')).toEqual({ ...QUEUE, idle: false, active_at: T0 + 5000 });
    expect(table.get('TARGET#default#smart#42')).toEqual(TARGET);
    expect(table.get('TASK#a')).toEqual(waiting);
    expect(table.get('TASK#b')).toEqual({ ...ended, restored_at: T0 + 5000 });
    expect(readTask(table.get('TASK#b') ?? waiting)).toMatchObject({ id: 'b', restored_at: T0 + 5000 });
  });

  test('leaves what is there as it is, and a second run brings nothing', async () => {
    const newer = taskItem(aTask({}, { rev: 9 }));
    const { deps, table } = tables([waiting, ended, QUEUE], [newer]);
    expect((await restore(deps)).task).toEqual({ brought: 1, kept: 1 });
    expect(table.get('TASK#a')).toEqual(newer);
    expect((await restore(deps)).task).toEqual({ brought: 0, kept: 2 });
  });

  test('an item that nobody can read comes along: the service puts it aside with its reason', async () => {
    const odd = { pk: 'TASK#odd', state: 7 };
    const { deps, table } = tables([odd]);
    await restore(deps);
    expect(table.get('TASK#odd')).toEqual(odd);
  });

  test('a write that fails ends it with its reason', async () => {
    const { deps } = tables([waiting]);
    await expect(restore({ ...deps, insert: () => Promise.reject(new Error('no such table')) })).rejects.toThrow(
      'no such table',
    );
  });

  test('thousands are written a few at a time', async () => {
    const many = Array.from({ length: 2000 }, (_, n) => ({ pk: `TASK#${n}`, state: 'sensing' }));
    const { deps } = tables(many);
    let [now, most] = [0, 0];
    const insert = async () => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
      return true;
    };
    expect((await restore({ ...deps, insert })).task.brought).toBe(2000);
    expect(most).toBeLessThanOrEqual(32);
  });
});
