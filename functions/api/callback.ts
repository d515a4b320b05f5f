/**
 * Whom a task tells of its end (docs/adr/0014). A submit that is repeated with another task token comes from a state that
 * was tried again: its old token is dead, so the newest one takes its place. The token goes into the record whatever the
 * task's state; of a task that has ended, that very write reaches the notifier, which tells it at once.
 */
import pLimit from 'p-limit';
import type { Store } from '../store/store.ts';
import { TableError } from '../store/table.ts';
import { changeTask } from './change-task.ts';
import { BUSY } from './problem.ts';
import type { Outcome } from './submit.ts';
import type { Prepared } from './submission.ts';

/** Tokens that are replaced at the same time. */
const AT_ONCE = 25;

/** @returns the outcomes, in order; where a task stood with another token than was submitted, it now has that one. */
export async function adoptTokens(
  store: Store,
  prepared: readonly Prepared[],
  outcomes: readonly Outcome[],
): Promise<readonly Outcome[]> {
  const newest = new Map<string, string>();
  outcomes.forEach((outcome, index) => {
    const entry = prepared[index];
    const token = entry?.ok === true ? entry.task.callback_token : undefined;
    if (outcome.ok && token !== undefined) newest.set(outcome.task.id, token);
  });
  return pLimit(AT_ONCE).map(outcomes, async (outcome) => {
    const token = outcome.ok ? newest.get(outcome.task.id) : undefined;
    return outcome.ok && token !== undefined ? adopt(store, outcome, token) : outcome;
  });
}

type Taken = Extract<Outcome, { ok: true }>;

async function adopt(store: Store, { task }: Taken, token: string): Promise<Outcome> {
  const busy = { ok: false, id: task.id, problem: BUSY } as const;
  try {
    const changed = await changeTask(store, task, (seen) =>
      seen.callback_token === token
        ? { kind: 'unchanged', why: 'same' }
        : { kind: 'moved', task: { ...seen, rev: seen.rev + 1, callback_token: token } },
    );
    return 'task' in changed ? { ok: true, task: changed.task } : busy;
  } catch (error) {
    if (error instanceof TableError) return busy;
    throw error;
  }
}
