import pLimit from 'p-limit';
import { DEFAULT_QUEUE } from '../core/queue.ts';
import { capacityOf } from '../core/slots.ts';
import type { Task } from '../core/task.ts';
import type { WorkerDeps } from './deps.ts';
import type { TickEvent } from './events.ts';
import { judgeOverdue } from './overdue.ts';
import type { Run } from './run.ts';

/** Invocations that are asked for at the same time. */
const AT_ONCE = 32;

/** Starts the runs that are due, as far as there is room: the nearest deadline first. Never rejects. */
export async function startDueRuns(
  deps: WorkerDeps,
  run: Run,
  { queue, starts }: TickEvent,
  tasks: readonly Task[],
): Promise<void> {
  const due = tasks.toSorted((a, b) => a.deadline - b.deadline);
  try {
    const slots = starts ?? (await claimStarts(deps, queue, due.length));
    run.counts.started = await startRuns(deps, due.slice(0, slots));
    const overdue = due.slice(slots).filter(({ deadline }) => deadline < run.startedAt);
    await Promise.all(overdue.map((task) => run.limit(() => judgeOverdue(deps, run, task))));
  } catch (error) {
    deps.log({ message: 'runs not started', queue, error: String(error) });
  }
}

/** @returns how many of the wanted runs of a queue may begin before the dispatcher has looked at it. */
export async function claimStarts(
  { store, clock }: Pick<WorkerDeps, 'store' | 'clock'>,
  queue: string,
  wanted: number,
): Promise<number> {
  if (wanted === 0) return 0;
  const settings = (await store.queue(queue)) ?? DEFAULT_QUEUE;
  if (settings.paused) return 0;
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
