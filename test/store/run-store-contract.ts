import { describe, expect, test } from '@jest/globals';
import { startRun } from '../../functions/core/runs.ts';
import type { Counted } from '../../functions/store/store.ts';
import type { Table } from '../../functions/store/table.ts';
import { T0 } from '../support/tasks.ts';
import { after, setups } from './contract-setup.ts';

/** What every store must do with the runs of tasks that poke for themselves. */
export function runStoreContract(suite: string, make: () => Table): void {
  const setup = setups(suite, make);

  describe('runs', () => {
    test('are counted apart from what is shared: waiting ones when they are due, running ones by their lease', async () => {
      const { store, queue, task, target } = setup();
      await store.join(target(), false);
      const own = (name: string) => task(name, { mode: 'reschedule', wake_at: T0 });
      const tasks = [own('queued'), own('running'), own('put'), task('outside', { sensor: { type: 'external' } })];
      await store.addTasks(tasks);
      const [, toRun, toPut] = tasks;
      if (toRun === undefined || toPut === undefined) throw new Error('no tasks');
      const lease = T0 + 180_000;
      const running = startRun(toRun, lease, { now: T0 + 1, by: 'worker:a' });
      const started = startRun(toPut, lease, { now: T0 + 1, by: 'worker:b' });
      await store.moveMany([
        { seen: toRun, next: running },
        { seen: toPut, next: started },
      ]);
      await store.move(started, after(started, { type: 'reschedule', at: T0 + 60_000 }));
      const counted = async (of: Counted, from: number, to: number) => store.countAwake(queue, 42, from, to, of);
      expect(await counted('runs', 0, T0)).toBe(1);
      expect(await counted('runs', 0, T0 + 60_000)).toBe(2);
      expect(await counted('runs', 0, lease)).toBe(3);
      expect(await counted('leased', T0, lease - 1)).toBe(0);
      expect(await counted('leased', T0, lease)).toBe(1);
      expect(await counted('shared', 0, lease)).toBe(1);
      expect(await counted('all', 0, lease)).toBe(4);
      // The wakes of runs are counted by themselves.
      expect(await store.awake(queue, 42, T0)).not.toHaveProperty('next_wake');
      await store.move(running, after(running, { type: 'met' }));
      expect(await counted('leased', T0, lease)).toBe(0);
    });
  });

  describe('slots', () => {
    test('of a queue that never had any are its capacity, and no one is claimed twice', async () => {
      const { store, queue } = setup();
      expect(await store.slots(queue)).toBeUndefined();
      expect(await store.claimSlots(queue, 0, 10, T0)).toBe(0);
      expect(await store.slots(queue)).toBeUndefined();
      expect(await store.claimSlots(queue, 7, 10, T0)).toBe(7);
      expect(await store.slots(queue)).toEqual({ granted: 10, left: 3, claimed_at: T0 });
      expect(await store.claimSlots(queue, 7, 10, T0 + 1)).toBe(3);
      expect(await store.claimSlots(queue, 7, 10, T0 + 2)).toBe(0);
      const claimed = { granted: 10, left: 0, claimed_at: T0 + 1 };
      expect(await store.slots(queue)).toEqual(claimed);
      expect(await store.grantSlots(queue, claimed, 5)).toBe(true);
      expect(await store.slots(queue)).toEqual({ granted: 5, left: 5 });
    });

    test('are not granted over a claim that was made meanwhile', async () => {
      const { store, queue } = setup();
      expect(await store.grantSlots(queue, undefined, 5)).toBe(true);
      const seen = await store.slots(queue);
      expect(await store.claimSlots(queue, 2, 10, T0)).toBe(2);
      expect(await store.grantSlots(queue, seen, 5)).toBe(false);
      expect(await store.slots(queue)).toEqual({ granted: 5, left: 3, claimed_at: T0 });
    });

    test('many claims at once share what is there', async () => {
      const { store, queue } = setup();
      const claims = await Promise.all(Array.from({ length: 5 }, () => store.claimSlots(queue, 2, 6, T0)));
      const claimed = claims.reduce((sum, one) => sum + one, 0);
      const slots = await store.slots(queue);
      expect(slots).toEqual({ granted: 6, left: expect.any(Number), claimed_at: T0 });
      expect(claimed).toBeGreaterThan(0);
      expect(slots?.left).toBeGreaterThanOrEqual(0);
      // Where an answer is lost and somebody claims in between, a slot may stay unused until the next tick; none is given
      // twice.
      expect(claimed + (slots?.left ?? 6)).toBeLessThanOrEqual(6);
    });

    test('that cannot be read are told of, and are written anew', async () => {
      const { store, table, queue, told } = setup();
      await table.update({ key: `SLOTS#${queue}`, change: { set: { left: 'many' } } });
      expect(await store.slots(queue)).toBeUndefined();
      expect(told).toMatchObject([{ key: `SLOTS#${queue}` }]);
      expect(await store.claimSlots(queue, 1, 4, T0)).toBe(1);
      expect(await store.slots(queue)).toEqual({ granted: 4, left: 3, claimed_at: T0 });
    });
  });
}
