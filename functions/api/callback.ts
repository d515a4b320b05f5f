/**
 * Whom a task tells of its end (docs/adr/0014). A submit that is repeated with another task token comes from a state that
 * is tried again, and whose old token is dead, or from another execution that waits for the same task. Nobody can tell the
 * two apart, so all are told. A token goes into the record whatever the task's state; of a task that has ended, that very
 * write reaches the notifier, which tells it at once.
 */
import pLimit from 'p-limit';
import type { Transition } from '../core/states.ts';
import type { Task } from '../core/task.ts';
import type { Store } from '../store/store.ts';
import { TableError } from '../store/table.ts';
import { changeTask } from './change-task.ts';
import { BUSY } from './problem.ts';
import type { Outcome } from './submit.ts';
import type { Prepared } from './submission.ts';

/** Tasks that are given tokens at the same time. */
const AT_ONCE = 25;

/** Tokens that a record keeps, the latest: an item is paid by the kilobyte, and most of many are those of dead tries. */
const MAX_TOKENS = 20;

/** @returns the outcomes, in order; a task that stood without a token that was submitted now has it. */
export async function addTokens(
  store: Store,
  prepared: readonly Prepared[],
  outcomes: readonly Outcome[],
): Promise<readonly Outcome[]> {
  const wanted = new Map<string, string[]>();
  outcomes.forEach((outcome, index) => {
    const entry = prepared[index];
    const tokens = entry?.ok === true ? entry.task.callback_tokens : undefined;
    if (!outcome.ok || tokens === undefined) return;
    wanted.set(outcome.task.id, [...(wanted.get(outcome.task.id) ?? []), ...tokens]);
  });
  return pLimit(AT_ONCE).map(outcomes, async (outcome) => {
    const tokens = outcome.ok ? wanted.get(outcome.task.id) : undefined;
    return outcome.ok && tokens !== undefined ? add(store, outcome, tokens) : outcome;
  });
}

type Taken = Extract<Outcome, { ok: true }>;

async function add(store: Store, { task }: Taken, tokens: readonly string[]): Promise<Outcome> {
  const busy = { ok: false, id: task.id, problem: BUSY } as const;
  try {
    const changed = await changeTask(store, task, (seen) => withTokens(seen, tokens));
    return 'task' in changed ? { ok: true, task: changed.task } : busy;
  } catch (error) {
    if (error instanceof TableError) return busy;
    throw error;
  }
}

/** A write to the record and no transition: the task's state, its times and its history stay. */
function withTokens(seen: Task, tokens: readonly string[]): Transition {
  const had = seen.callback_tokens ?? [];
  const fresh = new Set(tokens.filter((token) => !had.includes(token)));
  if (fresh.size === 0) return { kind: 'unchanged', why: 'same' };
  const callback_tokens = [...had, ...fresh].slice(-MAX_TOKENS);
  return { kind: 'moved', task: { ...seen, rev: seen.rev + 1, callback_tokens } };
}
