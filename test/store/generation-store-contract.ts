import { describe, expect, test } from '@jest/globals';
import type { Target } from '../../functions/core/target.ts';
import type { Table } from '../../functions/store/table.ts';
import { T0 } from '../support/tasks.ts';
import { setups } from './contract-setup.ts';

const LATER = T0 + 10 * 60_000;

/** What every store must do with the targets that have an execution of their own. */
export function generationStoreContract(suite: string, make: () => Table): void {
  const setup = setups(suite, make);

  /** A deferrable target as its first join leaves it. */
  async function joined(fields: Partial<Target> = {}) {
    const { store, table, target } = setup();
    const wanted = target({ mode: 'deferrable', ...fields });
    const { target: made } = await store.join(wanted, true);
    return { store, table, wanted, made };
  }

  test('a deferrable target is no business of those who tick', async () => {
    const { store, made } = await joined();
    await store.nextGeneration(made, T0 + 400);
    expect((await store.awake(made.queue, 42, LATER)).targets).toEqual([]);
    expect(await store.countAwake(made.queue, 42, 0, LATER)).toBe(0);
  });

  describe('generations', () => {
    test('the first is the instant at which it began, and knows what the target needs', async () => {
      const { store, made } = await joined({ exponential: true, max_wait: 300 });
      const begun = await store.nextGeneration(made, T0 + 400);
      const { poke_interval, exponential, max_wait, next_deadline, joined_at } = made;
      const known = { poke_interval, exponential, max_wait, next_deadline, joined_at };
      expect(begun).toEqual({ ...made, rev: 2, generation: T0 + 400, hop: 0, known });
      expect(await store.target(made)).toEqual(begun);
    });

    test('each is younger than the one before, also where the clock went back; its hops begin anew', async () => {
      const { store, made } = await joined();
      const first = await store.nextGeneration(made, T0 + 400);
      const hop = await store.nextHop(first!);
      expect(hop).toEqual({ ...first, rev: 3, hop: 1 });
      expect(await store.nextHop(hop!)).toMatchObject({ rev: 4, hop: 2 });
      const second = await store.nextGeneration({ ...hop!, rev: 4, hop: 2 }, T0);
      expect(second).toMatchObject({ rev: 5, generation: T0 + 401, hop: 0 });
      expect(await store.target(made)).toEqual(second);
    });

    test('of two that begin one side by side one does; a join in between lets neither', async () => {
      const { store, wanted, made } = await joined();
      const both = await Promise.all([1, 2].map((n) => store.nextGeneration(made, T0 + n)));
      expect(both.filter((one) => one !== undefined)).toHaveLength(1);
      const [begun] = both.filter((one) => one !== undefined);
      await store.join({ ...wanted, joined_at: T0 + 9, poke_interval: 10 }, false);
      expect(await store.nextGeneration(begun!, T0 + 10)).toBeUndefined();
      expect(await store.nextHop(begun!)).toBeUndefined();
      const stands = await store.target(made);
      expect(stands).toMatchObject({ generation: begun?.generation, hop: 0, poke_interval: 10 });
      expect(stands?.known).toMatchObject({ poke_interval: 60, joined_at: T0 });
    });

    test('whoever relaxes the target lets its execution sleep longer: that is what it knows then', async () => {
      const { store, made } = await joined({ exponential: true, max_wait: 90 });
      const begun = await store.nextGeneration(made, T0 + 400);
      await store.relax(begun!, { poke_interval: 600, exponential: false }, T0 + 9_999_999);
      const known = { poke_interval: 600, exponential: false, next_deadline: T0 + 9_999_999, joined_at: T0 };
      expect((await store.target(made))?.known).toEqual(known);
    });
  });

  describe('a deferrable target that falls asleep', () => {
    test('forgets what its execution knew, and is forgotten by the table', async () => {
      const { store, table, made } = await joined();
      const begun = await store.nextGeneration(made, T0 + 400);
      expect(await store.goDormant(begun!, LATER)).toBe(true);
      const { known: _, ...kept } = begun!;
      expect(await store.target(made)).toEqual({ ...kept, rev: 3, dormant: LATER });
      const key = `TARGET#${made.queue}#deferrable#42`;
      expect(await table.get(key)).toMatchObject({ expires_at: (LATER + 5 * 60_000) / 1000 });
    });

    test('comes back with a join, the generation as it was and nobody waiting', async () => {
      const { store, table, wanted, made } = await joined();
      const begun = await store.nextGeneration(made, T0 + 400);
      await store.goDormant(begun!, LATER);
      const { target } = await store.join({ ...wanted, joined_at: LATER + 1 }, false);
      const { known: _, ...kept } = begun!;
      expect(target).toEqual({ ...kept, rev: 4, joined_at: LATER + 1 });
      expect(await table.get(`TARGET#${made.queue}#deferrable#42`)).not.toHaveProperty('expires_at');
    });
  });
}
