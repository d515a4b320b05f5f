/** What a scenario expects, held against what came out. */
import { present } from '../functions/api/present.ts';
import type { Task } from '../functions/core/task.ts';
import type { Expected } from './format.ts';
import { holds, partOf } from './play.ts';
import type { Miss } from './play.ts';
import type { Stage } from './stage.ts';

/** @returns what did not come out as expected. `ids` are the ids of all tasks that were submitted. */
export async function missesOf(
  stage: Stage,
  expected: Expected,
  start: number,
  ids: readonly string[],
): Promise<readonly Miss[]> {
  const tasks = await tasksMisses(stage, expected.tasks, start, ids);
  return [...tasks, ...countMisses(stage, expected, start)];
}

async function tasksMisses(
  stage: Stage,
  expected: Expected['tasks'],
  start: number,
  ids: readonly string[],
): Promise<readonly Miss[]> {
  const misses: Miss[] = [];
  for (const [pattern, wanted] of Object.entries(expected)) {
    const named = pattern.endsWith('*') ? ids.filter((id) => id.startsWith(pattern.slice(0, -1))) : [pattern];
    if (named.length === 0) misses.push({ what: `task ${pattern}`, expected: 'at least one task', came: 'none' });
    for (const id of named) {
      const task = await stage.store.task(id);
      const miss = taskMiss(id, wanted, task, start);
      if (miss !== undefined) misses.push(miss);
    }
  }
  return misses;
}

function taskMiss(
  id: string,
  wanted: Expected['tasks'][string],
  task: Task | undefined,
  start: number,
): Miss | undefined {
  const { ended, reason, ...fields } = wanted;
  const miss = (expected: unknown, came: string): Miss => ({
    what: `task ${id}`,
    expected: JSON.stringify(expected),
    came,
    task: id,
  });
  if (task === undefined) return miss(wanted, 'no such task');
  const shown = present(task);
  if (!holds(fields, shown)) return miss(fields, partOf(fields, shown));
  if (reason !== undefined && task.reason?.includes(reason) !== true) return miss({ reason }, String(task.reason));
  if (ended === undefined) return undefined;
  const at = task.ended_at === undefined ? undefined : (task.ended_at - start) / 1000;
  const within = at !== undefined && at >= ended[0] && at <= ended[1];
  return within ? undefined : miss({ ended }, `ended at ${at ?? 'no time'}`);
}

function countMisses({ ledger, invocations }: Stage, expected: Expected, start: number): readonly Miss[] {
  const misses: Miss[] = [];
  const check = (what: string, isRight: boolean, wanted: unknown, came: unknown): void => {
    if (!isRight) misses.push({ what, expected: JSON.stringify(wanted), came: JSON.stringify(came) });
  };
  for (const [name, [least, most]] of Object.entries(expected.calls)) {
    const calls = ledger.calls(name);
    check(`calls of ${name}`, calls >= least && calls <= most, [least, most], calls);
  }
  for (const [name, bound] of Object.entries(expected.peak_per_second)) {
    const { max, from } = typeof bound === 'number' ? { max: bound, from: 0 } : bound;
    const peak = ledger.peak(name, from);
    check(`peak per second of ${name} from ${from}`, peak <= max, `at most ${max}`, peak);
  }
  for (const [task, states] of Object.entries(expected.alerts)) {
    const came = ledger.alerts(task);
    if (!holds(states, came)) {
      misses.push({ what: `alerts of ${task}`, expected: states.join(', '), came: came.join(', '), task });
    }
  }
  for (const [who, within] of Object.entries(expected.told)) {
    const at = ledger.toldAt(who);
    const isRight = within === null ? at === undefined : at !== undefined && at >= within[0] && at <= within[1];
    check(`${who} is told`, isRight, within, at ?? 'never');
  }
  for (const { from, to, max } of expected.writes) {
    const writes = ledger.writes(from, to);
    check(`writes from ${from} to ${to}`, writes <= max, `at most ${max}`, writes);
  }
  for (const { at, queue, desired } of expected.workers) {
    const came = ledger.desired(queue, at);
    check(`workers of ${queue} at ${at}`, came === desired, desired, came);
  }
  if (expected.concurrent !== undefined) {
    const { max, from } = expected.concurrent;
    const peak = invocations.peak(start + from * 1000);
    check(`workers and runs at once from ${from}`, peak <= max, `at most ${max}`, peak);
  }
  return misses;
}
