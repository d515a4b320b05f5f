/**
 * Ending what a removed task watched: only where a user removed a task that was submitted with cancel_on_kill, and then
 * once (DESIGN, section 4).
 *
 *     wanted --- claimed (IF rev) ---> asked --- the call answers ---> done | failed
 *                                        '--- no answer: looked at again; the outside is asked first whether it is done
 */
import type { Cancel, Task } from '../core/task.ts';
import type { Cancellation } from '../sensors/sensor.ts';
import type { WorkerDeps } from './deps.ts';
import type { Run } from './run.ts';

/** A claim holds so long: longer than its worker lives. */
const CLAIM_MS = 120_000;

/** Takes one step towards the end of what the task watched. @param listed the task as the index shows it */
export async function cancelWatched(deps: WorkerDeps, run: Run, listed: Task): Promise<void> {
  const { store, sensors, clock } = deps;
  const task = await store.task(listed.id);
  const now = clock.now();
  if (task?.cancel === undefined || task.wake_at === undefined || task.wake_at > now) return;
  const again = task.cancel.state === 'asked';
  const claimed: Task = { ...task, rev: task.rev + 1, wake_at: now + CLAIM_MS, cancel: { state: 'asked' } };
  if (!(await store.move(task, claimed)).moved) return;
  const answer = await sensors.cancel(task.queue, task.sensor, again, run.io);
  const cancel = verdict(deps, task, answer, clock.now());
  deps.log({ message: 'cancel', task: task.id, ...answer });
  if (cancel === undefined) return;
  const { wake_at: _, ...ended } = claimed;
  await store.move(claimed, { ...ended, rev: claimed.rev + 1, cancel });
}

/** @returns undefined: nothing is known yet. */
function verdict(
  { settings }: WorkerDeps,
  { ended_at = 0 }: Task,
  answer: Cancellation | undefined,
  now: number,
): Cancel | undefined {
  if (answer === undefined) return { state: 'done', reason: 'it watched nothing that could be ended' };
  switch (answer.kind) {
    case 'cancelled':
      return { state: 'done', ...(answer.detail === undefined ? {} : { reason: answer.detail }) };
    case 'refused':
      return { state: 'failed', reason: answer.reason };
    case 'unknown':
      return now - ended_at > settings.infra_window_seconds * 1000
        ? { state: 'failed', reason: answer.reason }
        : undefined;
  }
}
