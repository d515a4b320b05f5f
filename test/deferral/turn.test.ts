import { describe, expect, test } from '@jest/globals';
import { executionName } from '../../functions/deferral/execution.ts';
import type { PokeAnswer, PokeEvent } from '../../functions/deferral/events.ts';
import type { Store } from '../../functions/store/store.ts';
import { TableError } from '../../functions/store/table.ts';
import { T0 } from '../support/tasks.ts';
import { dueAfter, HOUR, MINUTE, setup, wholeSecond } from './setup.ts';

/** A task whose target an execution waits for, and that execution's first turn. */
async function waiting(exec: Parameters<ReturnType<typeof setup>['submit']>[1] = {}, wrap?: (store: Store) => Store) {
  const all = setup(wrap);
  const task = await all.submit('a', exec);
  await all.start(task);
  const [first] = all.started.splice(0);
  if (first === undefined) throw new Error('nothing was started');
  all.at(Date.parse(first.input.at));
  return { ...all, task, input: first.input };
}

const waits = (answer: PokeAnswer | undefined): PokeEvent => {
  if (answer?.next !== 'wait') throw new Error(`it goes on with ${answer?.next}`);
  return answer;
};

describe('a turn', () => {
  test('pokes, writes nothing, and waits for the next due', async () => {
    const { turn, input, task, target, pokes, now } = await waiting();
    const before = await target(task);
    const answer = waits(await turn(input));
    expect(answer).toEqual({ ...input, pokes: 1, at: wholeSecond(dueAfter(task, now())), next: 'wait' });
    expect(await target(task)).toEqual(before);
    expect(pokes()).toBe(2);
    // What it answers is what it is given next.
    expect(waits(await turn(answer)).pokes).toBe(2);
  });

  test('that sees the condition hold ends the waits, and is the last', async () => {
    const { turn, input, store, put } = await waiting();
    put('k');
    expect(await turn(input)).toEqual({ next: 'done' });
    expect(await store.task('a')).toMatchObject({ state: 'success' });
    expect(await turn(input)).toEqual({ next: 'done' });
  });

  test('that is due by a clock ahead of ours is not made again a second later', async () => {
    const { turn, input, task, at } = await waiting();
    const due = Date.parse(input.at);
    at(due - 2000);
    expect(waits(await turn(input)).at).toBe(wholeSecond(dueAfter(task, due)));
  });

  test('of an older generation pokes nothing, and sees to its successor', async () => {
    const { turn, input, submit, start, started, target, task, pokes, at } = await waiting({ poke_interval: 3600 });
    at(T0 + 5 * MINUTE);
    await start(await submit('b', { poke_interval: 10 }));
    started.splice(0);
    const before = pokes();
    expect(await turn(input)).toEqual({ next: 'done' });
    expect(pokes()).toBe(before);
    expect(started.map(({ name }) => name)).toEqual([executionName(await target(task))]);
  });

  test('of a target that is gone is the last', async () => {
    const { turn, input, store, target, task } = await waiting();
    await store.goDormant(await target(task), T0 + 1);
    await store.deleteTarget(await target(task));
    expect(await turn(input)).toEqual({ next: 'done' });
  });

  test('looks at all members once an hour, and at once where a user took one away', async () => {
    const { turn, input, store, at, now, target, task } = await waiting({ timeout: 90_000 });
    at(T0 + HOUR);
    expect(waits(await turn(input)).looked_at).toBe(now());
    await store.move(task, { ...task, rev: 2, state: 'removed' });
    await store.requestCheck(await target(task));
    expect(await turn({ ...input, looked_at: now() })).toEqual({ next: 'done' });
    expect(await target(task)).toMatchObject({ dormant: now() });
  });

  test('hands over before the history is full', async () => {
    const { turn, input, task, started, target, now } = await waiting();
    expect(await turn({ ...input, pokes: 1499 })).toEqual({ next: 'handed_over' });
    const next = await target(task);
    expect(next).toMatchObject({ generation: input.generation, hop: 1 });
    const at = wholeSecond(dueAfter(task, now()));
    const handed = { ...input, hop: 1, pokes: 0, at, began_at: now(), looked_at: now() };
    expect(started).toEqual([{ name: executionName(next), input: handed }]);
    // The one that handed over, once more: its start may have been lost.
    expect(await turn({ ...input, pokes: 1499 })).toEqual({ next: 'done' });
    expect(started.map(({ name }) => name)).toEqual([executionName(next), executionName(next)]);
  });

  test('hands over before the year of an execution is over', async () => {
    const { turn, input, started, now } = await waiting({ poke_interval: 604_800, timeout: 31_536_000 });
    const began_at = now() - 299 * 24 * HOUR;
    expect(await turn({ ...input, began_at, looked_at: now() })).toEqual({ next: 'handed_over' });
    expect(started).toHaveLength(1);
  });

  test('goes on where the target changed while it would have handed over', async () => {
    const changing = (store: Store): Store => ({ ...store, nextHop: async () => undefined });
    const { turn, input, started } = await waiting({}, changing);
    expect(waits(await turn({ ...input, pokes: 1499 })).pokes).toBe(1500);
    expect(started).toEqual([]);
  });

  test('whose writes the table did not take is made again in a minute', async () => {
    const failing = (store: Store): Store => ({
      ...store,
      moveMany: async (moves) => moves.map(() => new TableError('throttled', { throttled: true })),
    });
    const { turn, input, put, now } = await waiting({ poke_interval: 3600 }, failing);
    put('k');
    expect(waits(await turn(input)).at).toBe(wholeSecond(now() + MINUTE));
  });

  test('in a paused queue pokes nothing, and looks again in five minutes', async () => {
    const { turn, input, store, pokes, now } = await waiting();
    const queue = (await store.queue('default'))!;
    await store.saveQueue(queue, { ...queue, rev: queue.rev + 1, paused: true });
    const before = pokes();
    expect(waits(await turn(input)).at).toBe(wholeSecond(now() + 5 * MINUTE));
    expect(pokes()).toBe(before);
  });

  test('is refused where it is none', async () => {
    const { defer, input } = await waiting();
    await expect(defer({ ...input, generation: 'x' })).rejects.toThrow('generation');
    await expect(defer({ kind: 'else' })).rejects.toThrow('kind');
  });
});
