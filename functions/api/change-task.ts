/** One conditional transition, decided again whenever somebody else was faster. */
import type { Transition } from '../core/states.ts';
import type { Task } from '../core/task.ts';
import type { Store } from '../store/store.ts';

export type Changed =
  /** Written: what the task was before, and what it is now. */
  | { readonly kind: 'moved'; readonly before: Task; readonly task: Task }
  /** The decision was to leave it. */
  | { readonly kind: 'unchanged'; readonly task: Task }
  /** It vanished meanwhile. */
  | { readonly kind: 'gone' }
  /** Somebody else was faster in every round. */
  | { readonly kind: 'contended' };

/** How often a change is decided again. */
const ROUNDS = 8;

/**
 * @param seen the task as it was read
 * @param decide what becomes of the task as it stands in this round
 */
export async function changeTask(
  store: Store,
  seen: Task,
  decide: (seen: Task) => Transition | Promise<Transition>,
): Promise<Changed> {
  let before = seen;
  for (let round = 0; round < ROUNDS; round += 1) {
    const decision = await decide(before);
    if (decision.kind === 'unchanged') return { kind: 'unchanged', task: before };
    const answer = await store.move(before, decision.task);
    if (answer.moved) return { kind: 'moved', before, task: answer.task };
    if (answer.current === undefined) return { kind: 'gone' };
    before = answer.current;
  }
  return { kind: 'contended' };
}
