import { createHash } from 'node:crypto';
import { TASK_ID } from '../api/schemas/fields.ts';
import { canonicalJson } from '../core/json.ts';
import type { WaitContext } from '../step-functions.ts';

/** Parts of an ARN before the names of the state machine and of the execution. */
const ARN_PARTS = 6;

/**
 * The id of a task that a state waits for and that has none of its own: equal for every try of that state, so that a state
 * that is tried again submits nothing twice; another for every other wait.
 * @returns `<state machine>:<execution>` where that says it all, and else the same with 16 characters of a digest
 */
export function taskIdOf({ execution, redrive = 0, ...visit }: WaitContext): string {
  const name = execution.split(':').slice(ARN_PARTS).join(':');
  const readable = name.replaceAll(/[^A-Za-z0-9_.:=+@-]/g, '_').slice(0, 200);
  const rest = redrive > 0 ? { ...visit, redrive } : visit;
  if (TASK_ID.test(name) && Object.keys(rest).length === 0) return name;
  const digest = createHash('sha256')
    .update(`${execution}\n${canonicalJson(rest)}`)
    .digest('hex');
  return `${readable}:${digest.slice(0, 16)}`;
}
