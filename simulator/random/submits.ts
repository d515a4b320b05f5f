/** Random submits: what is waited for, how, and how often. */
import type { Mode } from '../../functions/core/task.ts';
import type { SubmitStep } from '../format.ts';
import type { Condition } from './conditions.ts';
import type { Dice } from './dice.ts';
import { moment } from './moments.ts';

/** Tasks of a scenario, about. */
const MOST_TASKS = 40;

export interface Submitted {
  readonly step: SubmitStep;
  /** The ids of its tasks. */
  readonly ids: readonly string[];
}

/** @param modes one of which each submit takes */
export function submits(
  dice: Dice,
  conditions: readonly Condition[],
  modes: readonly [Mode, ...Mode[]],
): readonly Submitted[] {
  const all: Submitted[] = [];
  let tasks = 0;
  const wanted = dice.int(2, 6);
  const queue = dice.chance(0.35) ? 'other' : undefined;
  for (let index = 0; index < wanted && tasks < MOST_TASKS; index += 1) {
    const condition = conditions[dice.int(0, conditions.length - 1)];
    if (condition === undefined) break;
    const most = condition.copies > 1 ? condition.copies : MOST_TASKS - tasks;
    const copies =
      dice.chance(0.5) && condition.copies === 1 ? 1 : Math.min(most, dice.int(1, dice.pick([2, 2, 3, 4, 8, 40])));
    const at = index === 0 ? dice.seconds(0, 5) : moment(dice, 0, 360);
    const mode = dice.pick(modes);
    const where = {
      ...(queue !== undefined && dice.chance(0.4) ? { queue } : {}),
      ...(mode === 'smart' ? {} : { mode }),
    };
    all.push(
      submit(`t${index}`, at, copies, { sensor: condition.sensor, ...where, ...waiting(dice), ...trying(dice) }),
    );
    tasks += copies;
    if (dice.chance(0.1)) {
      // A client that repeats itself.
      const again = all.at(-1);
      if (again !== undefined) all.push({ ...again, step: { ...again.step, at: at + dice.seconds(0, 60) } });
    }
  }
  return all;
}

function submit(id: string, at: number, copies: number, rest: object): Submitted {
  const body = { id, ...rest };
  if (copies > 1) {
    const ids = Array.from({ length: copies }, (_, copy) => `${id}-${copy + 1}`);
    return { step: { at, submit: body, copies }, ids };
  }
  const filled = JSON.parse(JSON.stringify(body).replaceAll('{copy}', '1')) as Record<string, unknown>;
  return { step: { at, submit: filled }, ids: [id] };
}

/** How it is waited for. */
function waiting(dice: Dice): object {
  const poke_interval = dice.pick([10, 15, 20, 30, 60, 60, 60, 120, 300, 600]);
  const timeout = dice.int(60, dice.pick([200, 200, 300, 300, 400, 600, 2000]));
  const exponential = dice.chance(0.2)
    ? { exponential_backoff: true, ...(dice.chance(0.6) ? { max_wait: dice.pick([60, 120, 300]) } : {}) }
    : {};
  return { poke_interval, timeout, ...exponential };
}

/** What becomes of it when a try ends. */
export function trying(dice: Dice): object {
  const retries = dice.pick([0, 0, 1, 2, 3]);
  const retry_delay = dice.chance(0.3) ? dice.int(0, 5) : dice.int(5, 120);
  const backoff = dice.chance(0.2)
    ? { retry_exponential_backoff: dice.pick<boolean | number>([true, 1.5]), max_retry_delay: 200 }
    : {};
  const soft = dice.chance(0.1) ? { soft_fail: true } : dice.chance(0.08) ? { never_fail: true } : {};
  return {
    ...(retries > 0 ? { retries, retry_delay, ...backoff } : {}),
    ...soft,
    ...(dice.chance(0.15) ? { silent_fail: true } : {}),
    ...(dice.chance(0.2) ? { retry_on_timeout: true } : {}),
    ...(dice.chance(0.12) ? { execution_timeout: dice.int(30, 900) } : {}),
    ...(dice.chance(0.2) ? { dag_id: 'd', task_id: 't', logical_date: '2024-01-01T00:00:00Z' } : {}),
  };
}
