import { describe, expect, test } from '@jest/globals';
import type { Cadence } from '../../functions/core/target.ts';
import type { Table } from '../../functions/store/table.ts';
import { T0 } from '../support/tasks.ts';
import { after, setups } from './contract-setup.ts';

const LATER = T0 + 10 * 60_000;

/** What every store must do with targets. */
export function targetStoreContract(suite: string, make: () => Table): void {
  const setup = setups(suite, make);

  describe('join', () => {
    test('the first joiner makes the target and has it poked', async () => {
      const { store, target } = setup();
      const wanted = target({ exponential: true, max_wait: 300 });
      expect(await store.join(wanted, true)).toEqual({ target: wanted, firstPoke: true });
      expect(await store.target(wanted)).toEqual(wanted);
      expect(await store.target({ ...wanted, mode: 'deferrable' })).toBeUndefined();
      expect(await store.targets([{ ...wanted, mode: 'deferrable' }, wanted])).toEqual([wanted]);
    });

    test('a join that wants no poke leaves the first one to the next', async () => {
      const { store, target } = setup();
      expect(await store.join(target(), false)).toEqual({ target: target({ first_poke_at: 0 }), firstPoke: false });
      expect((await store.join(target({ joined_at: T0 + 1 }), true)).firstPoke).toBe(true);
      expect((await store.join(target({ joined_at: T0 + 2 }), true)).firstPoke).toBe(false);
    });

    test('of many joins within 30 s one has the target poked', async () => {
      const { store, target } = setup();
      const round = async (now: number) => {
        const joins = Array.from({ length: 6 }, (_, n) => store.join(target({ joined_at: now + n }), true));
        return (await Promise.all(joins)).filter(({ firstPoke }) => firstPoke).length;
      };
      expect(await round(T0)).toBe(1);
      expect(await round(T0 + 29_000)).toBe(0);
      expect(await round(T0 + 31_000)).toBe(1);
      expect(await round(T0 + 50_000)).toBe(0);
    });

    test('joining raises rev, says when, and wakes', async () => {
      const { store, target } = setup();
      const { target: made } = await store.join(target(), false);
      expect(await store.goDormant(made, T0 + 1000)).toBe(true);
      const { target: joined } = await store.join(target({ joined_at: T0 + 2000 }), false);
      expect(joined).toEqual({ ...made, rev: 3, joined_at: T0 + 2000 });
      expect(joined).not.toHaveProperty('dormant');
    });

    test('what the first one brought stands: sensor, observation, a deadline that is earlier', async () => {
      const { store, target } = setup();
      await store.join(target(), false);
      await store.observe(target(), { observation: { kind: 'not_met', state: 'X' }, at: T0 + 5, first_unknown_at: 9 });
      const { target: joined } = await store.join(target({ next_deadline: T0 + 9_999_999, poke_interval: 600 }), false);
      expect(joined).toMatchObject({ next_deadline: T0 + 3_600_000, poke_interval: 60, first_unknown_at: 9 });
      expect(joined.observation).toEqual({ kind: 'not_met', state: 'X', at: T0 + 5 });
      expect((await store.join(target({ next_deadline: T0 + 1 }), false)).target.next_deadline).toBe(T0 + 1);
    });

    const constant = (poke_interval: number): Cadence => ({ poke_interval, exponential: false });
    const backing = (poke_interval: number, max_wait?: number): Cadence => ({
      poke_interval,
      exponential: true,
      ...(max_wait === undefined ? {} : { max_wait }),
    });
    test.each([
      [[constant(60), constant(30)], constant(30)],
      [[constant(30), constant(60)], constant(30)],
      [[backing(60), constant(600)], constant(600)],
      [[constant(600), backing(60)], constant(600)],
      [[backing(60, 300), constant(600)], constant(300)],
      [[constant(600), backing(60, 300)], constant(300)],
      [[constant(100), backing(60, 300)], constant(100)],
      [[backing(60), backing(30)], backing(30)],
      [[backing(30), backing(60)], backing(30)],
      [[backing(60, 300), backing(60)], backing(60, 300)],
      [[backing(60), backing(90, 300)], backing(60, 300)],
      [[backing(60, 900), backing(90, 300)], backing(60, 300)],
      [[backing(60, 900), constant(1000), backing(20, 200)], constant(200)],
    ])('a cadence is that of the most eager member: %j gives %j', async (joiners, expected) => {
      const { store, target } = setup();
      const { poke_interval: _p, exponential: _e, max_wait: _m, ...rest } = target();
      for (const cadence of joiners) await store.join({ ...rest, ...cadence }, false);
      const { poke_interval, exponential, max_wait } = (await store.target(target())) ?? target();
      expect({ poke_interval, exponential, ...(max_wait === undefined ? {} : { max_wait }) }).toEqual(expected);
    });

    test('two contexts that share 63 bits do not share a target', async () => {
      const { store, target } = setup();
      await store.join(target(), false);
      await expect(store.join(target({ full_hash: '0'.repeat(64) }), false)).rejects.toMatchObject({
        name: 'HashCollision',
      });
    });

    test.each([{ code: 'x' }, { rev: 'x' }, { poke_interval: true, rev: 'x', op_id: 5, junk: 1 }])(
      'a target that cannot be read (%j) is written anew by who joins it',
      async (damage) => {
        const { store, table, target, told } = setup();
        await store.join(target(), false);
        const key = `TARGET#${target().queue}#smart#42`;
        await table.update({ key, change: { set: damage } });
        await store.quarantine({ key, problem: 'code: expected int' }, T0 + 1);
        const { target: joined, firstPoke } = await store.join(target({ joined_at: LATER }), true);
        expect(joined).toMatchObject({ shardcode: 42, poke_interval: 60, joined_at: LATER });
        expect(firstPoke).toBe(true);
        expect(joined.rev).toBeGreaterThan(1000);
        expect(told).toMatchObject([{ key }]);
        expect((await store.awake(target().queue, 42, LATER)).targets).toMatchObject([{ rev: joined.rev }]);
        expect(await table.get(key)).not.toHaveProperty('junk');
      },
    );
  });

  describe('leaving and relaxing', () => {
    test('whoever saw the target before a join can no longer put it to sleep, relax or delete it', async () => {
      const { store, target } = setup();
      const { target: seen } = await store.join(target(), false);
      const { target: joined } = await store.join(target({ joined_at: T0 + 1, poke_interval: 10 }), false);
      expect(await store.goDormant(seen, LATER)).toBe(false);
      expect(await store.relax(seen, { poke_interval: 600, exponential: false }, T0 + 9_999_999)).toBe(false);
      expect(await store.clearCheck(seen)).toBe(false);
      expect(await store.wakeTarget(seen)).toBe(false);
      expect(await store.deleteTarget(seen)).toBe(false);
      expect(await store.target(seen)).toEqual(joined);
    });

    test('a dormant target is deleted, one that was joined since is not', async () => {
      const { store, target } = setup();
      const { target: made } = await store.join(target(), false);
      expect(await store.deleteTarget(made)).toBe(false);
      expect(await store.goDormant(made, T0 + 5)).toBe(true);
      const dormant = await store.target(made);
      expect(dormant).toEqual({ ...made, rev: 2, dormant: T0 + 5 });
      if (dormant === undefined) throw new Error('it is there');
      await store.join(target({ joined_at: LATER }), false);
      expect(await store.deleteTarget(dormant)).toBe(false);

      const again = { ...dormant, rev: 4 };
      expect(await store.goDormant({ ...dormant, rev: 3 }, LATER)).toBe(true);
      // Dormant as it was then, but joined in between.
      expect(await store.deleteTarget(dormant)).toBe(false);
      expect(await store.deleteTarget(again)).toBe(true);
      expect(await store.target(made)).toBeUndefined();
      expect(await store.deleteTarget(again)).toBe(true);
      expect((await store.join(target({ joined_at: LATER }), false)).target.rev).toBe(1);
    });

    test('a late member wakes a dormant target', async () => {
      const { store, target } = setup();
      const { target: made } = await store.join(target(), false);
      await store.goDormant(made, T0 + 5, { observation: { kind: 'met' }, at: T0 + 4 });
      const dormant = await store.target(made);
      expect(dormant?.observation).toEqual({ kind: 'met', at: T0 + 4 });
      if (dormant === undefined) throw new Error('it is there');
      expect(await store.wakeTarget(dormant)).toBe(true);
      expect(await store.target(made)).toEqual({ ...made, rev: 3, observation: { kind: 'met', at: T0 + 4 } });
    });

    test('relaxing writes a cadence as a whole', async () => {
      const { store, target } = setup();
      const { target: seen } = await store.join(target({ exponential: true, max_wait: 90 }), false);
      expect(await store.relax(seen, { poke_interval: 600, exponential: false }, T0 + 5_000_000)).toBe(true);
      const { max_wait: _, ...rest } = seen;
      const relaxed = { ...rest, rev: 2, poke_interval: 600, exponential: false, next_deadline: T0 + 5_000_000 };
      expect(await store.target(seen)).toEqual(relaxed);
      expect(await store.relax(relaxed, { poke_interval: 9, exponential: true, max_wait: 70 }, T0)).toBe(true);
      expect(await store.target(seen)).toMatchObject({ poke_interval: 9, exponential: true, max_wait: 70 });
    });

    test('a check that was asked for while the members were read is not cleared', async () => {
      const { store, target } = setup();
      const { target: made } = await store.join(target(), false);
      await store.requestCheck(made);
      const seen = await store.target(made);
      expect(seen).toEqual({ ...made, rev: 2, check: true });
      if (seen === undefined) throw new Error('it is there');
      await store.requestCheck(made);
      expect(await store.clearCheck(seen)).toBe(false);
      expect(await store.goDormant(seen, LATER)).toBe(false);
      expect(await store.clearCheck({ ...seen, rev: 3 })).toBe(true);
      expect(await store.target(made)).toEqual({ ...made, rev: 4 });
    });
  });

  describe('observe', () => {
    test('notes what changed, without a rev', async () => {
      const { store, target } = setup();
      const { target: made } = await store.join(target(), false);
      const unknown = { kind: 'unknown', reason: 'throttled', throttled: true } as const;
      const at = T0 + 7;
      expect(await store.observe(made, { observation: unknown, at, first_unknown_at: at, memory: { a: [1] } })).toBe(
        true,
      );
      const noted = { ...made, observation: { ...unknown, at }, first_unknown_at: at, memory: { a: [1] } };
      expect(await store.target(made)).toEqual(noted);
      await store.observe(made, { observation: { kind: 'not_met' }, at: T0 + 9, first_unknown_at: null });
      const { first_unknown_at: _, ...clean } = noted;
      expect(await store.target(made)).toEqual({ ...clean, observation: { kind: 'not_met', at: T0 + 9 } });
    });

    test('never brings a deleted target back; neither does asking for a check', async () => {
      const { store, target } = setup();
      const note = { observation: { kind: 'met' }, at: T0, first_unknown_at: null } as const;
      expect(await store.observe(target(), note)).toBe(false);
      await store.requestCheck(target());
      expect(await store.target(target())).toBeUndefined();
    });
  });

  describe('members', () => {
    test('are the waiting tasks of the target, by deadline, page by page', async () => {
      const { store, task, target } = setup();
      const tasks = Array.from({ length: 5 }, (_, n) => task(`t${n}`, { deadline: T0 + 5000 - n * 1000 }));
      const others = [task('x', { hashcode: '43' }), task('y', { mode: 'deferrable', state: 'deferred' })];
      await store.addTasks([...tasks, ...others]);
      const { tasks: found, poison, next } = await store.members(target());
      expect(found).toEqual(tasks.toReversed());
      expect([poison, next]).toEqual([[], undefined]);
      const soon = await store.members(target(), { deadlineBefore: T0 + 3000 });
      expect(soon.tasks.map(({ deadline }) => deadline)).toEqual([T0 + 1000, T0 + 2000]);
    });

    test('a task leaves when it ends or waits for its retry, and comes back with a clear', async () => {
      const { store, task, target } = setup();
      const [a, b] = [task('a'), task('b', {}, { retries: 1 })];
      await store.addTasks([a, b]);
      const ended = after(a, { type: 'met' });
      await store.moveMany([
        { seen: a, next: ended },
        { seen: b, next: after(b, { type: 'failed', reason: 'x' }) },
      ]);
      expect((await store.members(target())).tasks).toEqual([]);
      const cleared = after(ended, { type: 'clear' });
      await store.move(ended, cleared);
      expect((await store.members(target())).tasks).toEqual([cleared]);
    });

    test('one that cannot be read is named and hides nobody', async () => {
      const { store, table, task, target } = setup();
      const [a, b] = [task('a'), task('b')];
      await store.addTasks([a, b]);
      await table.update({ key: `TASK#${b.id}`, change: { set: { history: 'none' } } });
      const { tasks, poison } = await store.members(target());
      expect(tasks).toEqual([a]);
      expect(poison).toEqual([{ key: `TASK#${b.id}`, problem: 'history: expected array' }]);
    });
  });
}
