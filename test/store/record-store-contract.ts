import { describe, expect, test } from '@jest/globals';
import { DEFAULT_QUEUE } from '../../functions/core/queue.ts';
import type { QueueRecord, ShardRecord } from '../../functions/core/queue.ts';
import type { Item, Table } from '../../functions/store/table.ts';
import { T0 } from '../support/tasks.ts';
import { after, setups } from './contract-setup.ts';

/** What every store must do with shards, queues and what a worker looks at. */
export function recordStoreContract(suite: string, make: () => Table): void {
  const setup = setups(suite, make);

  describe('awake', () => {
    test('targets, dormant ones too, and the tasks that are due; the next wake', async () => {
      const { store, queue, task, target } = setup();
      const { target: awake } = await store.join(target(), false);
      const { target: other } = await store.join(target({ hashcode: '43', joined_at: T0 + 1 }), false);
      await store.join(target({ hashcode: '44', shardcode: 44 }), false);
      await store.goDormant(other, T0 + 2);
      const [soon, late, waiting] = [task('soon', {}, { retries: 1 }), task('late', {}, { retries: 1 }), task('waits')];
      await store.addTasks([soon, late, waiting]);
      const retry = after(soon, { type: 'failed', reason: 'x' });
      const later = after(late, { type: 'failed', reason: 'x' }, T0 + 50_000);
      await store.moveMany([
        { seen: soon, next: retry },
        { seen: late, next: later },
      ]);
      const until = retry.wake_at ?? 0;
      const found = await store.awake(queue, 42, until);
      expect(found).toEqual({
        targets: [awake, { ...other, rev: 2, dormant: T0 + 2 }],
        tasks: [retry],
        poison: [],
        next_wake: later.wake_at,
      });
      expect(await store.awake(queue, 7, until)).toEqual({ targets: [], tasks: [], poison: [] });
      expect(await store.countAwake(queue, 42, T0, until)).toBe(2);
      expect(await store.countAwake(queue, 42, T0 + 1, until)).toBe(1);
    });

    test('what cannot be read is named, put aside with its reason, and seen no more', async () => {
      const { store, table, queue, target } = setup();
      const { target: good } = await store.join(target(), false);
      const entry = { shardcode: `${queue}#42`, wake_at: T0, hashcode: queue, deadline: T0 };
      const bad: Item[] = [
        { pk: `TARGET#${queue}#smart#1`, ...entry, rev: 'x', quarantined: 5 },
        { pk: `TARGET#${queue}#nonsense#2`, ...entry, sensor: [] },
        { pk: `TASK#${queue}-p`, ...entry, op_id: { a: 1 }, state: 'dreaming' },
        { pk: `WHAT#${queue}`, ...entry },
      ];
      await table.insertMany(bad);
      const { targets, tasks, poison } = await store.awake(queue, 42, T0);
      expect([targets, tasks]).toEqual([[good], []]);
      expect(new Set(poison.map(({ key }) => key))).toEqual(new Set(bad.map(({ pk }) => pk)));
      for (const one of poison) await store.quarantine(one, T0 + 5);
      expect(await store.awake(queue, 42, T0)).toEqual({ targets: [good], tasks: [], poison: [] });
      for (const { key, problem } of poison) {
        const item = await table.get(key);
        expect(item).toMatchObject({ quarantined: { reason: problem, at: T0 + 5 } });
        expect(item).not.toHaveProperty('hashcode');
      }
      await store.quarantine({ key: `TASK#${queue}-gone`, problem: 'x' }, T0);
      expect(await table.get(`TASK#${queue}-gone`)).toBeUndefined();
    });

    test('a quarantined target comes back with a join, a quarantined task with a move', async () => {
      const { store, queue, task, target } = setup();
      await store.join(target(), false);
      const waiting = task('a');
      await store.addTasks([waiting]);
      await store.quarantine({ key: `TARGET#${queue}#smart#42`, problem: 'its sensor throws' }, T0 + 1);
      await store.quarantine({ key: `TASK#${waiting.id}`, problem: 'its judge throws' }, T0 + 1);
      expect((await store.awake(queue, 42, T0 + 9)).targets).toEqual([]);
      expect((await store.members(target())).tasks).toEqual([]);
      await store.join(target({ joined_at: T0 + 2 }), false);
      const cleared = after(waiting, { type: 'clear' });
      await store.move(waiting, cleared);
      expect((await store.awake(queue, 42, T0 + 9)).targets).toMatchObject([{ rev: 2 }]);
      expect((await store.members(target())).tasks).toEqual([cleared]);
    });
  });

  describe('queues', () => {
    test('a touch makes the queue, and writes again only when it is idle or a minute has passed', async () => {
      const { store, queue } = setup();
      expect(await store.queue(queue)).toBeUndefined();
      const made: QueueRecord = { ...DEFAULT_QUEUE, name: queue, rev: 1, idle: false, active_at: T0 };
      expect(await store.touchQueue(queue, T0)).toEqual(made);
      expect(await store.touchQueue(queue, T0 + 60_000)).toEqual(made);
      expect(await store.touchQueue(queue, T0 + 60_001)).toEqual({ ...made, rev: 2, active_at: T0 + 60_001 });
      const idle = { ...made, rev: 3, idle: true, active_at: T0 + 60_001 };
      expect(await store.saveQueue({ ...made, rev: 2, active_at: T0 + 60_001 }, idle)).toBe(true);
      const awake = { ...idle, rev: 4, idle: false, active_at: T0 + 60_002 };
      expect(await store.touchQueue(queue, T0 + 60_002)).toEqual(awake);
      // A dispatcher that decided before the touch does not put the queue to sleep.
      expect(await store.saveQueue(idle, { ...idle, rev: 4 })).toBe(false);
      expect(await store.queue(queue)).toEqual(awake);
    });

    test('touched by many at once it is made once', async () => {
      const { store, queue } = setup();
      const touched = await Promise.all(Array.from({ length: 5 }, () => store.touchQueue(queue, T0)));
      expect(touched.every((one) => one.name === queue && !one.idle)).toBe(true);
    });

    test('saving creates, replaces, and forgets what is no longer there', async () => {
      const { store, queue } = setup();
      const decision = { at: T0, desired: 2, running: 1, queued: 900, reason: 'due' };
      const first: QueueRecord = {
        ...DEFAULT_QUEUE,
        name: queue,
        rev: 1,
        idle: false,
        active_at: T0,
        busy_at: T0,
        decision,
        rates: { s3: 4.5 },
        budgets: { 'emr:ListSteps': 0.5 },
        swept_at: T0,
      };
      expect(await store.saveQueue(undefined, first)).toBe(true);
      expect(await store.queue(queue)).toEqual(first);
      expect(await store.saveQueue(undefined, first)).toBe(false);
      const { rates: _r, busy_at: _b, ...rest } = first;
      const second = { ...rest, rev: 2, max_workers: 3 };
      expect(await store.saveQueue(first, second)).toBe(true);
      expect(await store.queue(queue)).toEqual(second);
      expect(await store.saveQueue(first, { ...first, rev: 2 })).toBe(false);
      await expect(store.saveQueue(second, { ...second, rev: 9 })).rejects.toThrow('not a change of the queue');
    });

    test('are all listed; one that cannot be read is told of and hides no other', async () => {
      const { store, table, queue, told } = setup();
      await store.touchQueue(`${queue}-b`, T0);
      await store.touchQueue(`${queue}-a`, T0);
      await store.touchQueue(`${queue}-c`, T0);
      await table.update({ key: `QUEUE#${queue}-c`, change: { set: { idle: 'no' } } });
      const mine = (await store.queues()).map(({ name }) => name).filter((name) => name.startsWith(`${queue}-`));
      expect(mine).toEqual([`${queue}-a`, `${queue}-b`]);
      expect(told).toEqual([{ key: `QUEUE#${queue}-c`, problem: 'idle: expected boolean' }]);
      await table.delete(`QUEUE#${queue}-c`, []);
    });
  });

  describe('shards', () => {
    const statistics = {
      at: T0,
      worker: 'w1',
      targets: 3,
      pokes: 2,
      calls: 2,
      met: 1,
      unknown: 0,
      throttled: 0,
      ended: 1,
      started: 0,
      poison: 0,
      throttled_by: { s3: 1 },
    };

    test('one worker holds a lease; it writes the record and gives the lease back', async () => {
      const { store, queue } = setup();
      const lease = { lease_owner: 'w1', lease_until: T0 + 60_000 };
      const fresh: ShardRecord = { queue, shard: 3, ticked_through: 0, owed: [], ...lease };
      expect(await store.takeLease(queue, 3, 'w1', T0, T0 + 60_000)).toEqual(fresh);
      expect(await store.takeLease(queue, 3, 'w2', T0 + 59_999, T0 + 99_000)).toBeUndefined();
      const { lease_owner: _o, lease_until: _u, ...given } = fresh;
      const forecast = { at: T0, next_due_at: T0 + 9, due: 4, dormant: 1, recent: 0 };
      const written = { ...given, ticked_through: T0 + 60_000, owed: ['smart#42'], statistics, forecast };
      expect(await store.saveShard({ ...written, ...lease }, 'w1')).toBe(true);
      expect(await store.shards(queue)).toEqual([written]);
      expect(await store.takeLease(queue, 3, 'w2', T0 + 1, T0 + 2)).toEqual({
        ...written,
        lease_owner: 'w2',
        lease_until: T0 + 2,
      });
      expect(await store.saveShard(given, 'w2')).toBe(true);
      expect(await store.shards(queue)).toEqual([given]);
    });

    test('an expired lease is taken over, and who lost it can no longer write', async () => {
      const { store, queue } = setup();
      const lost = await store.takeLease(queue, 0, 'w1', T0, T0 + 100);
      const taken = await store.takeLease(queue, 0, 'w2', T0 + 100, T0 + 200);
      expect(taken).toMatchObject({ lease_owner: 'w2' });
      if (lost === undefined || taken === undefined) throw new Error('both had the lease');
      expect(await store.saveShard({ ...lost, ticked_through: 5 }, 'w1')).toBe(false);
      expect(await store.saveShard({ ...taken, ticked_through: 7 }, 'w2')).toBe(true);
      expect(await store.saveShard({ ...taken, ticked_through: 8 }, 'w3')).toBe(false);
      expect(await store.shards(queue)).toMatchObject([{ shard: 0, ticked_through: 7 }]);
    });

    test('of two workers one has the lease', async () => {
      const { store, queue } = setup();
      const leases = await Promise.all(['w1', 'w2'].map((worker) => store.takeLease(queue, 1, worker, T0, T0 + 9)));
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
    });

    test('a record that cannot be read is begun anew by who takes its lease', async () => {
      const { store, table, queue, told } = setup();
      await store.takeLease(queue, 2, 'w1', T0, T0 + 9);
      await table.update({ key: `SHARD#${queue}#2`, change: { set: { owed: 'much', statistics: 1 } } });
      expect(await store.shards(queue)).toEqual([]);
      const fresh = { queue, shard: 2, ticked_through: 0, owed: [], lease_owner: 'w2', lease_until: T0 + 99 };
      expect(await store.takeLease(queue, 2, 'w2', T0 + 9, T0 + 99)).toEqual(fresh);
      expect(told).toHaveLength(2);
      expect(await store.saveShard(fresh, 'w2')).toBe(true);
      expect(await store.shards(queue)).toEqual([{ queue, shard: 2, ticked_through: 0, owed: [] }]);
    });
  });
}
