import type { PlannedTask } from './plan.ts';

/** One transition, as the API shows it; `at` in epoch ms. */
export interface Transition {
  readonly at: number;
  readonly to: string;
}

/** A task as the API shows it, as far as the demo looks. */
export interface SeenTask {
  readonly id: string;
  readonly state: string;
  readonly try_number: number;
  readonly reason?: string | undefined;
  /** Epoch ms. */
  readonly deadline: number;
  readonly history: readonly Transition[];
}

/** States that the bus is told of. */
const TOLD = new Set(['success', 'failed', 'skipped', 'removed', 'up_for_retry']);

/** @returns a sentence for each task that did not go the way that it should. */
export function judgeTasks(planned: readonly PlannedTask[], seen: ReadonlyMap<string, SeenTask>): readonly string[] {
  return planned.flatMap((task) => {
    const { path, reason } = task.expected;
    const came = seen.get(task.id);
    const wanted = `${way(path)}${reason === undefined ? '' : ` ("${reason}")`}`;
    if (came === undefined) return [`${task.id}: expected ${wanted}, but there is no such task`];
    const walked = came.history.map(({ to }) => to);
    const right = came.state === path.at(-1) && way(walked) === way(path) && (came.reason ?? '').includes(reason ?? '');
    if (right) return [];
    const why = came.reason === undefined ? '' : ` ("${came.reason}")`;
    return [`${task.id}: expected ${wanted}, came ${way(walked)}${why}, state ${came.state}`];
  });
}

/** @returns the ids of the facts that have to be told of a task that goes its way: `<task id>~<try>#<state>`. */
export function expectedAlerts({ id, expected }: PlannedTask): readonly string[] {
  let tryNumber = 1;
  return expected.path.flatMap((state) => {
    const told = TOLD.has(state) ? [`${id}~${tryNumber}#${state}`] : [];
    if (state === 'up_for_retry') tryNumber += 1;
    return told;
  });
}

/**
 * @param deliveries how often each fact was told, by its id
 * @returns a sentence for each fact that was not told, and for each that should not have been
 */
export function judgeAlerts(
  planned: readonly PlannedTask[],
  deliveries: ReadonlyMap<string, number>,
): readonly string[] {
  const wanted = new Set(planned.flatMap((task) => expectedAlerts(task)));
  const missing = [...wanted].filter((id) => !deliveries.has(id));
  const surplus = [...deliveries.keys()].filter((id) => !wanted.has(id));
  return [
    ...missing.map((id) => `${id}: expected an event on the bus, none came`),
    ...surplus.map((id) => `${id}: expected no event on the bus, one came`),
  ];
}

function way(states: readonly string[]): string {
  return states.join(' > ');
}
