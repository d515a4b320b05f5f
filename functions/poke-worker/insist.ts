import type { Task } from '../core/task.ts';
import type { Clock } from '../ports.ts';
import type { Store } from '../store/store.ts';
import { TableError } from '../store/table.ts';

/** First wait before a write that the table did not take is made again; doubles up to the longest. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * Makes a write again and again while the table does not take it: what a run has found out is worth more than a new run.
 * @param until after this instant (epoch ms) there is no use in it
 * @returns whether it was made; false: somebody else was faster, and the task is not ours any more
 * @throws TableError where it could not be made until then (it may have been applied)
 */
export async function insist(
  { store, clock }: { readonly store: Pick<Store, 'move'>; readonly clock: Clock },
  seen: Task,
  next: Task,
  until: number,
): Promise<boolean> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      const answer = await store.move(seen, next);
      return answer.moved || isOurs(answer.current, next);
    } catch (error) {
      if (!(error instanceof TableError) || clock.now() + wait > until) throw error;
      await clock.sleep(wait);
    }
  }
}

/** A write whose answer never came was applied all the same: nobody else writes just this, for the worker is named in it. */
function isOurs(current: Task | undefined, { rev, wake_at, history }: Task): boolean {
  const [stands, wanted] = [current?.history.at(-1), history.at(-1)];
  return current?.rev === rev && current.wake_at === wake_at && stands?.at === wanted?.at && stands?.by === wanted?.by;
}
