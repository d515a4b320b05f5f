import { describe, expect, test } from '@jest/globals';
import type { Task } from '../../functions/core/task.ts';
import type { ListPosition } from '../../functions/store/store.ts';
import type { Table } from '../../functions/store/table.ts';
import { TableError } from '../../functions/store/table.ts';
import { T0 } from '../support/tasks.ts';
import { after, setups } from './contract-setup.ts';

/** What every store must do with tasks. */
export function taskStoreContract(suite: string, make: () => Table): void {
  const setup = setups(suite, make);

  describe('tasks', () => {
    test('a task comes back as it was put, whatever it holds', async () => {
      const { store, task } = setup();
      const full: Task = {
        ...task('full', {}, { retries: 2, soft_fail: true, max_wait: 300, execution_timeout: 60, max_retry_delay: 9 }),
        coordinates: {
          dag_id: 'd',
          task_id: 't',
          run_id: 'r',
          map_index: 0,
          logical_date: '2024-01-01 00:00:00+00:00',
        },
        tags: { team: 'a' },
        sensor: { type: 's3_key', bucket: 'b', key: ['k', 'l'], wildcard_match: false, min_size: 3 },
        state: 'running',
        owner: { hostname: 'h', unixname: 'u', pid: 7 },
        heartbeat_at: T0 + 5,
        wake_at: T0 + 9,
        next_retry_at: T0 + 8,
        ended_at: T0 + 7,
        reason: 'because',
        result: { rows: [1, { a: null }], ok: true },
        first_poke: true,
        asked: 'failed',
      };
      expect(await store.addTasks([full])).toEqual([{ added: true, task: full }]);
      expect(await store.task(full.id)).toEqual(full);
      expect(await store.tasks([full.id, 'nobody'])).toEqual([full]);
      expect(await store.task('nobody')).toBeUndefined();
    });

    test('a task that is there already is not put again, and is shown', async () => {
      const { store, task } = setup();
      const first = task('one');
      const other = { ...first, submit_hash: 'another body' };
      expect(await store.addTasks([first, task('two')])).toMatchObject([{ added: true }, { added: true }]);
      expect(await store.addTasks([other, task('three')])).toEqual([
        { added: false, existing: first },
        { added: true, task: task('three') },
      ]);
      const same = task('same');
      expect(await store.addTasks([same, { ...same, submit_hash: 'y' }])).toEqual([
        { added: true, task: same },
        { added: false, existing: same },
      ]);
    });

    test('a move writes the difference, and what a clear takes away is gone', async () => {
      const { store, task } = setup();
      const waiting = task('a', {}, { retries: 1 });
      await store.addTasks([waiting]);
      const ended = after(waiting, { type: 'met', value: { n: 1 } });
      expect(await store.move(waiting, ended)).toEqual({ moved: true, task: ended });
      expect(await store.task(waiting.id)).toEqual(ended);
      expect(ended.expires_at).toBeDefined();
      const cleared = after(ended, { type: 'clear' }, T0 + 2000);
      expect(await store.move(ended, cleared)).toEqual({ moved: true, task: cleared });
      const stands = await store.task(waiting.id);
      expect(stands).toEqual(cleared);
      expect(stands).not.toHaveProperty('expires_at');
      expect(stands).not.toHaveProperty('result');
    });

    test('of two moves of one rev, one is made; the loser is told what stands', async () => {
      const { store, task } = setup();
      const waiting = task('a');
      await store.addTasks([waiting]);
      const won = after(waiting, { type: 'met' });
      const lost = after(waiting, { type: 'timeout' });
      const answers = await Promise.all([store.move(waiting, won), store.move(waiting, lost)]);
      const stands = await store.task(waiting.id);
      expect(answers.filter(({ moved }) => moved)).toHaveLength(1);
      expect(answers).toContainEqual({ moved: true, task: stands });
      expect(answers).toContainEqual({ moved: false, current: stands });
      expect(await store.move(waiting, lost)).toEqual({ moved: false, current: stands });
    });

    test('a move of a task that is gone makes none', async () => {
      const { store, task } = setup();
      const waiting = task('a');
      expect(await store.move(waiting, after(waiting, { type: 'met' }))).toEqual({ moved: false });
      expect(await store.task(waiting.id)).toBeUndefined();
    });

    test('a move that skips a rev is a defect', async () => {
      const { store, task } = setup();
      await expect(store.move(task('a'), task('a'))).rejects.toThrow('not a move');
    });

    test('60 moves in one call, some of them too late', async () => {
      const { store, task } = setup();
      const tasks = Array.from({ length: 60 }, (_, n) => task(`t${n}`));
      await store.addTasks(tasks);
      const marked = tasks.filter((_, n) => n % 7 === 0).map((seen) => after(seen, { type: 'mark', state: 'skipped' }));
      await Promise.all(marked.map((next, n) => store.move(tasks[n * 7] ?? next, next)));
      const moves = tasks.map((seen) => ({ seen, next: after(seen, { type: 'met' }, T0 + 5000) }));
      const answers = await store.moveMany(moves);
      expect(answers).toEqual(
        moves.map(({ next }, n) =>
          n % 7 === 0 ? { moved: false, current: marked[n / 7] } : { moved: true, task: next },
        ),
      );
      const stands = await store.tasks(tasks.map(({ id }) => id));
      expect(stands.filter(({ state }) => state === 'success')).toHaveLength(51);
      expect(stands.filter(({ state }) => state === 'skipped')).toHaveLength(9);
    });

    test('an item that cannot be read fails alone and names the field', async () => {
      const { store, table, task, told } = setup();
      const [good, bad] = [task('good'), task('bad')];
      await store.addTasks([good, bad]);
      const key = `TASK#${bad.id}`;
      await table.update({ key, change: { set: { exec: { timeout: 'soon' }, rev: 9 } } });
      await expect(store.task(bad.id)).rejects.toMatchObject({
        name: 'PoisonError',
        poison: { key, problem: expect.stringMatching(/^exec\.\w+: /) },
      });
      expect(await store.tasks([good.id, bad.id])).toEqual([good]);
      expect(told).toMatchObject([{ key }]);
      const answers = await store.moveMany([good, bad].map((seen) => ({ seen, next: after(seen, { type: 'met' }) })));
      expect(answers[0]).toMatchObject({ moved: true });
      expect(answers[1]).toBeInstanceOf(TableError);
      expect((await store.addTasks([bad]))[0]).toBeInstanceOf(TableError);
      await expect(store.move(bad, after(bad, { type: 'met' }))).rejects.toMatchObject({ name: 'PoisonError' });
    });
  });

  describe('heartbeat', () => {
    test('is noted for the running try of its owner, and is a rev', async () => {
      const { store, task } = setup();
      const running: Task = {
        ...task('a', { sensor: { type: 'external' } }),
        state: 'running',
        owner: { hostname: 'h', unixname: 'u', pid: 7 },
        heartbeat_at: T0,
      };
      await store.addTasks([running]);
      const noted = { ...running, rev: 2, heartbeat_at: T0 + 50 };
      expect(await store.heartbeat(running.id, 1, { hostname: 'h', pid: 7 }, T0 + 50)).toEqual({
        moved: true,
        task: noted,
      });
      const refused = { moved: false, current: noted };
      expect(await store.heartbeat(running.id, 1, { hostname: 'h', pid: 8 }, T0 + 60)).toEqual(refused);
      expect(await store.heartbeat(running.id, 1, { hostname: 'g', pid: 7 }, T0 + 60)).toEqual(refused);
      expect(await store.heartbeat(running.id, 2, { hostname: 'h', pid: 7 }, T0 + 60)).toEqual(refused);
      expect(await store.heartbeat('nobody', 1, { hostname: 'h', pid: 7 }, T0 + 60)).toEqual({ moved: false });
      // Where the caller is held to a queue, it is one of the conditions.
      const from = { hostname: 'h', pid: 7 };
      expect(await store.heartbeat(running.id, 1, { ...from, queue: 'another' }, T0 + 60)).toEqual(refused);
      // A transition that was decided before the heartbeat loses.
      expect(await store.move(running, after(running, { type: 'failed', reason: 'lost' }))).toEqual(refused);
      await store.move(noted, after(noted, { type: 'met' }));
      expect(await store.heartbeat(running.id, 1, { hostname: 'h', pid: 7 }, T0 + 70)).toMatchObject({ moved: false });
    });
  });

  describe('list', () => {
    test('pages hold the tasks of a state once, newest first', async () => {
      const { store, queue, task } = setup();
      const tasks = Array.from({ length: 23 }, (_, n) => ({ ...task(`t${n}`), updated_at: T0 + n * 10 }));
      await store.addTasks([...tasks, { ...task('other'), state: 'queued' }]);
      const pages: string[][] = [];
      let next: ListPosition | undefined;
      do {
        const page = await store.list({ queue, state: 'sensing', limit: 5, ...(next === undefined ? {} : { next }) });
        pages.push(page.tasks.map(({ id }) => id));
        next = page.next;
      } while (next !== undefined);
      expect(pages.flat()).toEqual(tasks.toReversed().map(({ id }) => id));
      expect(pages.slice(0, 4).every((page) => page.length === 5)).toBe(true);
      expect(await store.list({ queue, state: 'failed', limit: 5 })).toEqual({ tasks: [] });
    });

    test('only those to keep: a page ends with the last that it has room for, or with what it may look at', async () => {
      const { store, queue, task } = setup();
      const tasks = Array.from({ length: 23 }, (_, n) => ({ ...task(`t${n}`), updated_at: T0 + n * 10 }));
      await store.addTasks(tasks);
      const choose = ({ updated_at }: { readonly updated_at: number }) =>
        (updated_at - T0) % 30 === 0 ? 'take' : 'leave';
      const pages: number[][] = [];
      let next: ListPosition | undefined;
      do {
        const query = { queue, state: 'sensing', limit: 2, scan: 5, choose } as const;
        const page = await store.list(next === undefined ? query : { ...query, next });
        pages.push(page.tasks.map(({ updated_at }) => (updated_at - T0) / 10));
        next = page.next;
      } while (next !== undefined);
      // The first looks at 22 to 18 and has room for both; the second looks at 17 to 13.
      expect(pages.flat()).toEqual([21, 18, 15, 12, 9, 6, 3, 0]);
      expect(pages.slice(0, 2)).toEqual([[21, 18], [15]]);
      expect(pages.every((page) => page.length <= 2)).toBe(true);
    });

    test('a page that has no room for a task ends before it, and the next one begins with it', async () => {
      const { store, queue, task } = setup();
      const tasks = Array.from({ length: 7 }, (_, n) => ({ ...task(`t${n}`), updated_at: T0 + n * 10 }));
      await store.addTasks(tasks);
      const pages: number[][] = [];
      let next: ListPosition | undefined;
      do {
        let room = 2;
        const choose = () => ((room -= 1) < 0 ? 'stop' : 'take');
        const query = { queue, state: 'sensing', limit: 5, choose } as const;
        const page = await store.list(next === undefined ? query : { ...query, next });
        pages.push(page.tasks.map(({ updated_at }) => (updated_at - T0) / 10));
        next = page.next;
      } while (next !== undefined);
      expect(pages).toEqual([[6, 5], [4, 3], [2, 1], [0]]);
    });

    test('a task that ended is listed at its end, first', async () => {
      const { store, queue, task } = setup();
      const [a, b] = [task('a'), task('b')];
      await store.addTasks([a, b]);
      const ended = after(a, { type: 'met' });
      await store.move(a, ended);
      expect(await store.list({ queue, state: 'sensing', limit: 5 })).toEqual({ tasks: [b] });
      expect(await store.list({ queue, state: 'success', limit: 5 })).toEqual({ tasks: [ended] });
    });
  });
}
