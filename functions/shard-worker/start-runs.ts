import pLimit from 'p-limit';
import { mostRuns } from '../core/concurrency.ts';
import { DEFAULT_QUEUE } from '../core/queue.ts';
import { byUrgency } from '../core/runs.ts';
import { capacityOf, COMMON } from '../core/slots.ts';
import type { Task } from '../core/task.ts';
import type { BookedCall } from './booked-calls.ts';
import type { WorkerDeps } from './deps.ts';
import type { TickEvent } from './events.ts';
import { judgeOverdue } from './overdue.ts';
import { createRunCalls } from './run-calls.ts';
import type { Run } from './run.ts';

/** Invocations that are asked for at the same time. */
const AT_ONCE = 32;

/** Starts the runs that are due, as far as there is room, in slots and in calls: the most urgent first. Never rejects. */
export async function startDueRuns(
  deps: WorkerDeps,
  run: Run,
  { queue, starts, budgets }: TickEvent,
  tasks: readonly Task[],
): Promise<void> {
  const due = tasks.toSorted(byUrgency(run.startedAt));
  try {
    const slots = starts ?? (await claimStarts(deps, queue, due.length));
    const overdue = due.slice(slots).filter(({ deadline }) => deadline < run.startedAt);
    const [started] = await Promise.all([
      startWhenCallable(deps, run, { queue, budgets }, due.slice(0, slots)),
      ...overdue.map((task) => run.limit(() => judgeAlone(deps, run, task))),
    ]);
    run.counts.started = started;
  } catch (error) {
    deps.log({ message: 'runs not started', queue, error: String(error) });
  }
}

/** One task's trouble is no other's: it is looked at again in the next tick. */
async function judgeAlone(deps: WorkerDeps, run: Run, task: Task): Promise<void> {
  try {
    await judgeOverdue(deps, run, task);
  } catch (error) {
    deps.log({ message: 'task failed', task: task.id, error: String(error) });
  }
}

/**
 * Starts runs, those that draw on a short budget one after another, as their calls come. What finds no call in this tick
 * stays due.
 */
async function startWhenCallable(
  deps: WorkerDeps,
  run: Run,
  { queue, budgets }: Pick<TickEvent, 'queue' | 'budgets'>,
  tasks: readonly Task[],
): Promise<number> {
  const calls = createRunCalls(deps, queue, budgets);
  const byBudget = Map.groupBy(tasks, ({ sensor }) => {
    const operation = deps.sensors.operationOf(sensor);
    return operation === undefined ? undefined : calls.nameOf(operation);
  });
  const started = await Promise.all(
    [...byBudget].map(async ([budget, group]) => {
      if (budget === undefined || !calls.isShort(budget, group.length)) return startRuns(deps, group);
      const starting: Promise<number>[] = [];
      for await (const { call, startAt } of calls.book(budget, group.length, run.startBy)) {
        const wait = startAt - deps.clock.now();
        if (wait > 0) await deps.clock.sleep(wait);
        starting.push(startRuns(deps, group.slice(starting.length, starting.length + 1), call));
      }
      return sum(await Promise.all(starting));
    }),
  );
  return sum(started);
}

/** @returns how many of the wanted runs of a queue may begin before the dispatcher has looked at it. */
export async function claimStarts(
  { store, clock, settings }: Pick<WorkerDeps, 'store' | 'clock' | 'settings'>,
  queue: string,
  wanted: number,
): Promise<number> {
  if (wanted === 0) return 0;
  const record = (await store.queue(queue)) ?? DEFAULT_QUEUE;
  if (record.paused) return 0;
  // First those of the queue: the next tick then knows of the runs whatever becomes of the claim on what all queues share.
  const own = await store.claimSlots(queue, wanted, capacityOf(record), clock.now());
  return store.claimSlots(COMMON, own, mostRuns(settings.max_concurrency), clock.now());
}

/**
 * Has a poke worker run each of the tasks. One that could not be invoked leaves its task where it is, for the next tick.
 * @param booked a call that is booked for the run of each
 * @returns how many were invoked
 */
export async function startRuns(
  { runs, log }: Pick<WorkerDeps, 'runs' | 'log'>,
  tasks: readonly Pick<Task, 'id' | 'try_number'>[],
  booked?: BookedCall,
): Promise<number> {
  const invoked = await pLimit(AT_ONCE).map(tasks, async ({ id, try_number }) => {
    try {
      await runs.invoke({ kind: 'run', task_id: id, try_number, ...(booked === undefined ? {} : { booked }) });
      return true;
    } catch (error) {
      log({ message: 'run not started', task: id, error: String(error) });
      return false;
    }
  });
  return invoked.filter(Boolean).length;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0);
}
