/** What a task's record owes from one write to the next. */
import { targetKey } from '../../functions/core/identity.ts';
import { deadlineOf } from '../../functions/core/steps.ts';
import { isExternal, isTerminal, pokesForItself } from '../../functions/core/task.ts';
import type { Task } from '../../functions/core/task.ts';
import type { Invariant, Watch } from './invariant.ts';
import { waits } from './mirror.ts';
import type { Change } from './mirror.ts';

/** Whether it waits on a target, when it waits. */
function isShared(task: Task): boolean {
  return !isExternal(task) && !pokesForItself(task);
}

/** Revisions, tries and deadlines: each write adds one, a try keeps what it began with. */
export function records({ fail }: Watch): Invariant {
  function task({ before, after }: Change<Task>): void {
    if (after === undefined) return fail(`task ${before?.id} is gone`);
    const { id, rev, started_at, deadline, try_number } = after;
    if (rev !== (before?.rev ?? 0) + 1) fail(`task ${id}: rev ${before?.rev} became ${rev}`);
    if (before?.try_number === try_number) {
      if (before.deadline !== deadline)
        fail(`task ${id}: the deadline of try ${try_number} moved by ${deadline - before.deadline} ms`);
      if (before.started_at !== started_at) fail(`task ${id}: the start of try ${try_number} moved`);
      if (before.max_tries !== after.max_tries) fail(`task ${id}: max_tries changed within try ${try_number}`);
    } else if (deadline !== deadlineOf(after.exec, started_at)) {
      fail(`task ${id}: try ${try_number} began with a deadline that is not its timeout`);
    }
    const last = after.history.at(-1);
    const moved = before?.state !== after.state || before.try_number !== try_number;
    if (moved && (last?.to !== after.state || last.try_number !== try_number)) {
      fail(`task ${id}: its history does not tell of ${after.state}`);
    }
    // Case 87: each transition has its reason, its try and its actor.
    if (last === undefined || last.why === '' || last.by === '')
      fail(`task ${id}: its history does not say why it is ${after.state}, or by whom`);
    if (isTerminal(after.state) !== (after.expires_at !== undefined))
      fail(`task ${id}: ${after.state}, yet expires_at is ${after.expires_at}`);
    const wakes = !isTerminal(after.state) && (!isShared(after) || after.state === 'up_for_retry');
    if (wakes && after.wake_at === undefined) fail(`task ${id}: ${after.state} and nobody is to look at it`);
  }
  return { name: 'records', task };
}

/** Who waits is watched: its target is there, no slower and no later than it needs. */
export function watched({ fail, mirror }: Watch): Invariant {
  function check(task: Task): void {
    const target = mirror.targets.get(targetKey(task));
    if (target === undefined) return fail(`task ${task.id} waits and has no target`);
    const { exec, deadline, id } = task;
    if (target.next_deadline > deadline)
      fail(`task ${id}: its target's next deadline is ${target.next_deadline - deadline} ms late`);
    const eager = exec.exponential_backoff
      ? target.exponential
        ? target.poke_interval <= exec.poke_interval &&
          (exec.max_wait === undefined || (target.max_wait ?? Infinity) <= exec.max_wait)
        : exec.max_wait === undefined || target.poke_interval <= exec.max_wait
      : !target.exponential && target.poke_interval <= exec.poke_interval;
    if (!eager) fail(`task ${id}: its target is poked more seldom than it asked for`);
  }
  return {
    name: 'watched',
    task({ after }) {
      if (waits(after)) check(after);
    },
    target({ before, after }) {
      if (after === undefined) {
        const left = before === undefined ? undefined : [...mirror.members(targetKey(before)).keys()][0];
        if (left !== undefined) fail(`the target of task ${left} is deleted, and it waits`);
        return;
      }
      if (before !== undefined && after.rev < before.rev)
        fail(`target ${targetKey(after)}: rev ${before.rev} became ${after.rev}`);
      for (const task of mirror.members(targetKey(after)).values()) check(task);
    },
    queue({ after }) {
      if (after?.idle !== true) return;
      for (const task of mirror.active.values()) {
        if (task.queue === after.name) fail(`queue ${after.name} falls asleep while task ${task.id} is ${task.state}`);
      }
    },
  };
}
