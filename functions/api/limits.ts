/** How many active tasks a queue takes: where an operator has set a limit, a submit beyond it is refused. */
import type { QueueRecord } from '../core/queue.ts';
import type { Task } from '../core/task.ts';
import type { Store } from '../store/store.ts';

/**
 * The count comes from an index and lags a little: submits side by side may go a little over the limit.
 * @param tasks new ones, in the order of the submit
 * @param queues the records of their queues, by name
 * @returns the ids of the tasks that find no room
 */
export async function beyondLimits(
  store: Store,
  tasks: readonly Task[],
  queues: ReadonlyMap<string, QueueRecord>,
): Promise<ReadonlySet<string>> {
  const beyond: string[] = [];
  for (const [name, own] of Map.groupBy(tasks, ({ queue }) => queue)) {
    const limit = queues.get(name)?.max_active_tasks;
    if (limit === undefined) continue;
    const room = Math.max(0, limit - (await store.countActive(name)));
    beyond.push(...own.slice(room).map(({ id }) => id));
  }
  return new Set(beyond);
}
