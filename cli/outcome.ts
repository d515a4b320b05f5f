/** What many tasks came to, as counts and as an exit code. */
import type { State, Task } from '../client/index.ts';
import { isTerminal, STATES } from '../functions/core/task.ts';
import { EXIT } from './failures.ts';
import { count } from './words.ts';

/** @returns 1 if something failed or was removed, else 2 if something has not ended, else 0. */
export function exitOf(states: Iterable<State>): number {
  const seen = new Set(states);
  if (seen.has('failed') || seen.has('removed')) return EXIT.failed;
  return [...seen].every((state) => isTerminal(state)) ? EXIT.done : EXIT.open;
}

export type Counts = Readonly<Partial<Record<State, number>>>;

export function countsOf(tasks: Iterable<Pick<Task, 'state'>>): Counts {
  const counts = new Map<State, number>();
  for (const { state } of tasks) counts.set(state, (counts.get(state) ?? 0) + 1);
  return Object.fromEntries(
    STATES.filter((state) => counts.has(state)).map((state) => [state, counts.get(state) ?? 0]),
  );
}

/** @returns `2 sensing, 998 success`, in the order of a task's life. */
export function countWords(counts: Counts): string {
  const parts = Object.entries(counts).map(([state, value]) => `${count(value)} ${state}`);
  return parts.length === 0 ? 'no task' : parts.join(', ');
}

/** Pokes that one task each would have made so far, and those that the shared conditions needed: by the intervals. */
export function pokesOf(tasks: Iterable<Task>, now: number): { readonly alone: number; readonly shared: number } {
  const shared = new Map<string, number>();
  let alone = 0;
  for (const task of tasks) {
    if (task.sensor.type === 'external') continue;
    const end = task.ended_at === undefined ? now : Date.parse(task.ended_at);
    const waited = Math.max(0, end - Date.parse(task.started_at));
    const pokes = 1 + Math.floor(waited / (task.poke_interval * 1_000));
    const isShared = task.mode === 'smart' || task.mode === 'deferrable';
    const key = isShared ? `${task.queue} ${task.mode} ${task.hashcode}` : task.id;
    alone += pokes;
    shared.set(key, Math.max(shared.get(key) ?? 0, pokes));
  }
  return { alone, shared: [...shared.values()].reduce((sum, pokes) => sum + pokes, 0) };
}
