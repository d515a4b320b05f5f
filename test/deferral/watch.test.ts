import { describe, expect, test } from '@jest/globals';
import { executionName } from '../../functions/deferral/execution.ts';
import type { Store } from '../../functions/store/store.ts';
import { TableError } from '../../functions/store/table.ts';
import { T0 } from '../support/tasks.ts';
import { MINUTE, setup } from './setup.ts';

const watch = { kind: 'watch', queue: 'default' };
const checkOf = (...hashcodes: readonly string[]) => ({
  kind: 'check',
  targets: hashcodes.map((hashcode) => ({ queue: 'default', hashcode })),
});

async function waiting(wrap?: (store: Store) => Store) {
  const all = setup(wrap);
  const task = await all.submit('a', { poke_interval: 600, timeout: 90_000 });
  await all.start(task);
  all.at(T0 + 10 * MINUTE);
  return { ...all, task, name: executionName(await all.target(task)) };
}

describe('the watchdog', () => {
  test('leaves alone what waits', async () => {
    const { defer, started, pokes, logged } = await waiting();
    await defer(watch);
    expect([started.length, pokes()]).toEqual([1, 1]);
    expect(logged).not.toContain('execution missing');
  });

  test('takes over a target whose execution is gone, with a poke at once', async () => {
    const { defer, started, running, target, task, name, now, logged } = await waiting();
    running.clear();
    await defer(watch);
    const next = await target(task);
    expect(next).toMatchObject({ generation: now(), hop: 0 });
    expect(started.map((one) => one.name)).toEqual([name, executionName(next)]);
    expect(started[1]?.input.at).toBe(new Date(now()).toISOString());
    expect(logged).toContain('execution missing');
  });

  test('starts what has just begun once more, by its name', async () => {
    const { defer, started, running, name, at } = await waiting();
    running.clear();
    at(T0 + MINUTE);
    await defer(watch);
    expect(started.map((one) => one.name)).toEqual([name, name]);
  });

  test('takes over what sleeps longer than a join needs, once the start of that join had its time', async () => {
    const { defer, submit, started, target, task, at, now } = await waiting();
    const quick = await submit('b', { poke_interval: 10, timeout: 90_000 });
    await defer(watch);
    expect(started).toHaveLength(1);
    at(now() + 2 * MINUTE);
    await defer(watch);
    expect(started).toHaveLength(2);
    expect(await target(task)).toMatchObject({ generation: now(), known: { poke_interval: 10 } });
    expect(quick.hashcode).toBe(task.hashcode);
  });

  test('joins again for a task whose target sleeps or is gone', async () => {
    const { defer, store, started, target, task, now } = await waiting();
    await store.goDormant(await target(task), now());
    await defer(watch);
    expect(await target(task)).toMatchObject({ joined_at: now(), generation: now() });
    await store.goDormant(await target(task), now());
    await store.deleteTarget(await target(task));
    await defer(watch);
    expect(await target(task)).toMatchObject({ rev: 2, generation: now() });
    expect(started).toHaveLength(3);
  });

  test('asks Step Functions nothing where nobody is deferred', async () => {
    const { defer, logged } = setup();
    await defer(watch);
    expect(logged).toEqual([]);
  });

  test('reads the targets of all tasks together', async () => {
    const read: number[] = [];
    const counting = (store: Store): Store => ({
      ...store,
      target: async (id) => {
        read.push(1);
        return store.target(id);
      },
      targets: async (ids) => {
        read.push(ids.length);
        return store.targets(ids);
      },
    });
    const { defer, submit, start } = await waiting(counting);
    for (let n = 0; n < 9; n += 1) await start(await submit(`b${n}`, {}, `other${n}`));
    read.length = 0;
    await defer(watch);
    expect(read).toEqual([10]);
  });

  test('comes again where it could not look at a target; the others are watched', async () => {
    let broken = '';
    const breaking = (store: Store): Store => ({
      ...store,
      nextGeneration: async (seen, now) => {
        if (seen.hashcode === broken) throw new TableError('throttled', { throttled: true });
        return store.nextGeneration(seen, now);
      },
    });
    const { defer, submit, start, running, started, task, at, now } = await waiting(breaking);
    await start(await submit('b', {}, 'other'));
    at(now() + 10 * MINUTE);
    running.clear();
    broken = task.hashcode;
    await expect(defer(watch)).rejects.toThrow('1 targets of default were not watched');
    expect(started).toHaveLength(3);
  });
});

describe('a check', () => {
  test('stops the execution of a target that nobody waits for any more, and of no other', async () => {
    const { defer, submit, start, store, stopped, task, name, target } = await waiting();
    const other = await submit('b', {}, 'other');
    await start(other);
    await store.move(task, { ...task, rev: 2, state: 'removed' });
    await defer(checkOf(task.hashcode, other.hashcode, '43'));
    expect(stopped).toEqual([name]);
    expect(await target(task)).toHaveProperty('dormant');
    expect(await target(other)).not.toHaveProperty('dormant');
    // Once more: what was asleep already is stopped again, for the first stop may have been lost.
    await defer(checkOf(task.hashcode));
    expect(stopped).toEqual([name, name]);
  });

  test('that fails leaves the look to the next turn', async () => {
    const breaking = (store: Store): Store => ({ ...store, members: async () => Promise.reject(new TableError('no')) });
    const { defer, stopped, task, logged } = await waiting(breaking);
    await defer(checkOf(task.hashcode));
    expect(stopped).toEqual([]);
    expect(logged).toContain('members not checked');
  });
});
