import { targetKey } from '../core/identity.ts';
import { isTerminal } from '../core/task.ts';
import type { Task } from '../core/task.ts';
import type { DeferralEvent } from '../deferral/events.ts';
import type { StreamChange } from '../store/stream.ts';
import { parts } from './parts.ts';

/**
 * What a batch of the stream means for the executions that wait for deferrable targets.
 * @returns starts: each target that a task began to wait on, for only its record says whether an execution wakes early
 * enough; checks: each that a user took a task away from
 */
export function deferralsOf(changes: readonly StreamChange[]): readonly DeferralEvent[] {
  const begun = changes.filter(({ before, after }) => {
    return after?.state === 'deferred' && before?.try_number !== after.try_number;
  });
  const starts = groups(begun).map(({ id, same }) => ({
    ...id,
    tasks: same.flatMap(({ after }) => after?.id ?? []),
    // A retry that is due is poked at once, as it is in the other modes.
    first: same.some(({ before, after }) => after?.first_poke === true || before?.state === 'up_for_retry'),
  }));
  const left = changes.filter(({ before, after }) => {
    return before?.state === 'deferred' && after !== undefined && isTerminal(after.state) && byUser(after);
  });
  const checks = groups(left).map(({ id }) => id);
  return [
    ...parts(starts).map((targets) => ({ kind: 'start' as const, targets })),
    ...(checks.length === 0 ? [] : [{ kind: 'check' as const, targets: checks }]),
  ];
}

/** By the target that the tasks wait on, or did. */
function groups(changes: readonly StreamChange[]) {
  const byTarget = Map.groupBy(changes, ({ after }) => (after === undefined ? '' : targetKey(after)));
  return [...byTarget.values()].flatMap((same) => {
    const task = same[0]?.after;
    return task === undefined ? [] : [{ id: { queue: task.queue, hashcode: task.hashcode }, same }];
  });
}

function byUser({ history }: Task): boolean {
  return history.at(-1)?.by.startsWith('user:') === true;
}
