import pLimit from 'p-limit';
import { DEFAULT_QUEUE } from '../core/queue.ts';
import { capacityOf } from '../core/slots.ts';
import type { Task } from '../core/task.ts';
import type { WorkerDeps } from './deps.ts';

/** Invocations that are asked for at the same time. */
const AT_ONCE = 32;

/** @returns how many of the wanted runs of a queue may begin before the dispatcher has looked at it. */
export async function claimStarts(
  { store, clock }: Pick<WorkerDeps, 'store' | 'clock'>,
  queue: string,
  wanted: number,
): Promise<number> {
  if (wanted === 0) return 0;
  const settings = (await store.queue(queue)) ?? DEFAULT_QUEUE;
  return store.claimSlots(queue, wanted, capacityOf(settings), clock.now());
}

/**
 * Has a poke worker run each of the tasks. One that could not be invoked leaves its task where it is, for the next tick.
 * @returns how many were invoked
 */
export async function startRuns(
  { runs, log }: Pick<WorkerDeps, 'runs' | 'log'>,
  tasks: readonly Pick<Task, 'id' | 'try_number'>[],
): Promise<number> {
  const invoked = await pLimit(AT_ONCE).map(tasks, async ({ id, try_number }) => {
    try {
      await runs.invoke({ kind: 'run', task_id: id, try_number });
      return true;
    } catch (error) {
      log({ message: 'run not started', task: id, error: String(error) });
      return false;
    }
  });
  return invoked.filter(Boolean).length;
}
