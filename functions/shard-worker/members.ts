import type { TargetId } from '../core/target.ts';
import type { Task } from '../core/task.ts';
import type { Store } from '../store/store.ts';
import type { PageKey } from '../store/table.ts';

/**
 * The tasks that wait on a target, page by page: what the index shows, and what it may not show yet.
 * A task that cannot be read is taken out of the way; it is nobody's member.
 * @param now epoch ms
 * @param extra ids of tasks that are known to wait on it (from the table's stream)
 */
export async function* readMembers(
  store: Store,
  target: TargetId,
  now: number,
  extra: readonly string[] = [],
): AsyncGenerator<readonly Task[]> {
  const seen = new Set<string>();
  let next: PageKey | undefined;
  do {
    const page = await store.members(target, next === undefined ? {} : { next });
    for (const { id } of page.tasks) seen.add(id);
    for (const poison of page.poison) await store.quarantine(poison, now);
    yield page.tasks;
    next = page.next;
  } while (next !== undefined);
  const missing = extra.filter((id) => !seen.has(id));
  if (missing.length === 0) return;
  const late = await store.tasks(missing);
  yield late.filter((task) => isMember(task, target));
}

/** @returns whether the task waits on the target, as it stands. */
export function isMember(task: Task, target: TargetId): boolean {
  const waits = task.state === 'sensing' || task.state === 'deferred';
  return waits && task.queue === target.queue && task.mode === target.mode && task.hashcode === target.hashcode;
}
