import { describe, expect, test } from '@jest/globals';
import { createStore } from '../../functions/store/create-store.ts';
import { targetKey } from '../../functions/store/keys.ts';
import type { Table } from '../../functions/store/table.ts';
import { T0 } from '../support/tasks.ts';
import { setups } from './contract-setup.ts';

const LATER = T0 + 60_000;

/** What every store must do so that an event finds the targets that it may end. */
export function eventStoreContract(suite: string, make: () => Table): void {
  const setup = setups(suite, make);
  let ids = 0;

  /** A store in which an event finds a target by its bucket; of the test's own, since the table may be shared. */
  function joining() {
    const { table, queue, told, target } = setup();
    const store = createStore({
      table,
      newId: () => `op-${suite}-event-${(ids += 1)}`,
      eventKeyOf: ({ bucket }) => (bucket === 'none' ? undefined : `s3:${queue}/${String(bucket)}`),
      onPoison: (poison) => told.push(poison),
    });
    const of = (hashcode: string, bucket = 'b') => target({ hashcode, sensor: { type: 's3_key', bucket, key: ['k'] } });
    const found = async (bucket: string, limit = 10) => {
      const { targets, more } = await store.targetsOf(`s3:${queue}/${bucket}`, limit);
      return { hashcodes: targets.map(({ hashcode }) => hashcode).toSorted(), more };
    };
    return { table, queue, told, store, of, found };
  }

  describe('events', () => {
    test('find the targets with their key, whatever their queue and mode, and no others', async () => {
      const { queue, store, of, found } = joining();
      await store.join(of('1'), true);
      await store.join({ ...of('2'), mode: 'deferrable', queue: `${queue}-2` }, false);
      await store.join(of('3', 'c'), true);
      await store.join(of('4', 'none'), true);
      expect(await found('b')).toEqual({ hashcodes: ['1', '2'], more: false });
      expect(await found('c')).toEqual({ hashcodes: ['3'], more: false });
      expect(await found('none')).toEqual({ hashcodes: [], more: false });
      expect((await store.targetsOf(`s3:${queue}/c`, 10)).targets).toEqual([await store.target(of('3', 'c'))]);
    });

    test('find as many as are asked for, and are told that there are more', async () => {
      const { store, of, found } = joining();
      for (const hashcode of ['1', '2', '3']) await store.join(of(hashcode), false);
      expect(await found('b', 2)).toMatchObject({ hashcodes: [expect.anything(), expect.anything()], more: true });
      expect((await found('b', 4)).more).toBe(false);
    });

    test('find a target at one place for its whole life: dormant, joined again, gone', async () => {
      const { table, queue, store, of, found } = joining();
      const { target: made } = await store.join(of('1'), false);
      const entry = async () => {
        const item = await table.get(targetKey(made));
        return { state_partition: item?.['state_partition'], updated_at: item?.['updated_at'] };
      };
      const first = { state_partition: `EVENT#s3:${queue}/b`, updated_at: T0 };
      expect(await entry()).toEqual(first);
      await store.goDormant(made, LATER);
      expect(await found('b')).toMatchObject({ hashcodes: ['1'] });
      const { target: again } = await store.join({ ...of('1'), joined_at: LATER }, false);
      expect(await entry()).toEqual(first);
      await store.goDormant(again, LATER);
      await store.deleteTarget({ ...again, rev: again.rev + 1 });
      expect(await found('b')).toEqual({ hashcodes: [], more: false });
    });

    test('find a target that was made before events found any, once somebody joins it', async () => {
      const { table, store, of, found } = joining();
      await createStore({ table, newId: () => `op-${suite}-old` }).join(of('1'), false);
      expect(await found('b')).toMatchObject({ hashcodes: [] });
      await store.join(of('1'), false);
      expect(await found('b')).toMatchObject({ hashcodes: ['1'] });
    });

    test('leave out what cannot be read, and say so; who joins mends it', async () => {
      const { table, told, store, of, found } = joining();
      await store.join(of('1'), false);
      await store.join(of('2'), false);
      await table.update({ key: targetKey(of('1')), change: { set: { rev: 'x' } } });
      expect(await found('b')).toMatchObject({ hashcodes: ['2'] });
      expect(told).toMatchObject([{ key: targetKey(of('1')), problem: expect.stringContaining('rev') }]);
      await store.join(of('1'), false);
      expect(await found('b')).toMatchObject({ hashcodes: ['1', '2'] });
    });

    test('are in no list and no count of tasks', async () => {
      const { queue, store, of } = joining();
      await store.join(of('1'), false);
      expect(await store.countActive(queue)).toBe(0);
      expect((await store.list({ queue, state: 'sensing', limit: 10 })).tasks).toEqual([]);
      expect((await store.queues()).map(({ name }) => name)).not.toContain(queue);
    });
  });
}
