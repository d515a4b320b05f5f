/** What submits and clears do to queues and targets before they touch a task (DESIGN, section 3, "Joining a target"). */
import { identify } from '../core/identity.ts';
import { wantedTarget } from '../core/membership.ts';
import type { QueueRecord } from '../core/queue.ts';
import type { Task } from '../core/task.ts';
import type { Joined, Store } from '../store/store.ts';

/**
 * Has the dispatcher look at these queues. It is done before anything that waits is put there: a queue that is looked at
 * for nothing is waste, a task in a queue that nobody looks at would be lost.
 * @returns their records, by name
 */
export async function wakeQueues(
  store: Store,
  queues: ReadonlySet<string>,
  now: number,
): Promise<ReadonlyMap<string, QueueRecord>> {
  const records = await Promise.all([...queues].map((queue) => store.touchQueue(queue, now)));
  return new Map(records.map((record) => [record.name, record]));
}

/** @returns whether the task waits on a target that it shares. */
export function waitsOnTarget(task: Pick<Task, 'state'>): boolean {
  return task.state === 'sensing' || task.state === 'deferred';
}

/** Joins the target of some tasks (of one queue, mode and hashcode), once, with what the most eager of them needs. */
export async function joinTarget(store: Store, joiners: readonly [Task, ...Task[]], now: number): Promise<Joined> {
  return store.join(wantedTarget(joiners, identify(joiners[0].sensor).full_hash, now), true);
}
