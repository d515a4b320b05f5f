/** Writing many transitions, each with its own condition, 25 a call. */
import { transition } from '../core/states.ts';
import type { TaskEvent } from '../core/states.ts';
import type { TransitionContext } from '../core/steps.ts';
import type { Task } from '../core/task.ts';
import type { Store } from '../store/store.ts';
import { TableError } from '../store/table.ts';

/** How often a task that changed under our hands is judged again. */
const ROUNDS = 5;

export interface FanOut {
  readonly moved: number;
  /** Tasks that go on as they are (as they stand now). */
  readonly unmoved: readonly Task[];
  /** Tasks whose transition the table did not take: not done, or done without an answer. */
  readonly failed: number;
}

/**
 * Applies an event to each of the tasks.
 * Who loses the race (a user's mark, another worker) is judged again as it stands now; what is at its end stays.
 * @param decide what happens to a task, or undefined: nothing
 */
export async function moveAll(
  store: Store,
  tasks: readonly Task[],
  decide: (task: Task) => TaskEvent | undefined,
  context: TransitionContext,
): Promise<FanOut> {
  const unmoved: Task[] = [];
  let moved = 0;
  let failed = 0;
  let open = tasks;
  for (let round = 0; round < ROUNDS && open.length > 0; round += 1) {
    const moves: { seen: Task; next: Task }[] = [];
    for (const task of open) {
      const event = decide(task);
      const outcome = event === undefined ? undefined : transition(task, event, context);
      if (outcome?.kind === 'moved') moves.push({ seen: task, next: outcome.task });
      else unmoved.push(task);
    }
    const answers = await store.moveMany(moves);
    const again: Task[] = [];
    for (const answer of answers) {
      if (answer instanceof TableError) failed += 1;
      else if (answer.moved) moved += 1;
      else if (answer.current !== undefined) again.push(answer.current);
    }
    open = again;
  }
  return { moved, unmoved, failed: failed + open.length };
}
