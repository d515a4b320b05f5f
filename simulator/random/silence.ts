/** Whoever is told is silent for a while: the bus, the executions that wait with a task token, or both. */
import type { Fault, Step } from '../format.ts';
import type { Dice } from './dice.ts';

/** No silence lasts longer than until here, seconds: the scenario's other faults end by then, too. */
const LAST = 560;

/** @returns the faults of a silence; three scenarios of four have none. */
export function silence(dice: Dice): readonly Fault[] {
  if (!dice.chance(0.25)) return [];
  const window = { from: dice.int(0, 200), to: dice.int(260, LAST) };
  const bus = { service: 'eventbridge', error: 'InternalFailure', ...window } as const;
  const executions = { service: 'sfn', error: 'ServiceUnavailable', ...window } as const;
  const ofStates = ['SendTaskSuccess', 'SendTaskFailure'].map((operation) => ({ ...executions, operation }));
  const killed = { kill: 'notifier', at: window.to, after_writes: dice.int(0, 3) } as const;
  return [...dice.pick([[bus], ofStates, [bus, ...ofStates]]), ...(dice.chance(0.5) ? [killed] : [])];
}

/** @returns the steps, where every other submit has an execution that waits for each of its tasks. */
export function withTokens(dice: Dice, steps: readonly Step[]): readonly Step[] {
  return steps.map((step) => {
    if (!('submit' in step) || dice.chance(0.5)) return step;
    const copy = step.copies === undefined ? '' : '-{copy}';
    const task_token = `token-of-${String(step.submit['id'])}${copy}`;
    return { ...step, submit: { ...step.submit, callback: { task_token } } };
  });
}
