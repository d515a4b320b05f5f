/** `--wait`: after a submit, until the tasks have ended. */
import type { SensoriumClient } from '../client/index.ts';
import { follow } from './follow.ts';
import type { Tasks } from './follow.ts';
import { countsOf, countWords, exitOf } from './outcome.ts';
import { createProgress } from './progress.ts';
import type { Session } from './session.ts';
import { stateWords } from './words.ts';
import { isTerminal } from '../functions/core/task.ts';

/** Tasks whose ends are printed one by one. */
const SHOWN = 20;

/** @param wait true, or seconds at most. @returns the exit code */
export async function waitForAll(
  { io, out }: Session,
  client: SensoriumClient,
  tasks: Tasks,
  wait: true | number,
): Promise<number> {
  const progress = createProgress(io, 'ended', tasks.size);
  try {
    await follow(client, io, tasks, {
      ...(wait === true ? {} : { limit: wait }),
      onLook(seen) {
        const ended = [...seen.values()].filter(({ state }) => isTerminal(state)).length;
        progress.at(ended, ` (${countWords(countsOf(seen.values()))})`);
      },
    });
  } catch (error) {
    progress.end();
    out.note(`${countWords(countsOf(tasks.values()))}: the tasks wait on; \`sensorium watch\` looks at them again`);
    throw error;
  }
  progress.end();
  const ends = [...tasks.values()];
  if (out.json) for (const task of ends) out.record(task);
  else if (ends.length > SHOWN) out.line(countWords(countsOf(ends)));
  else {
    for (const { id, state, reason } of ends) {
      out.line(`${id}  ${stateWords(state, out)}${reason === undefined ? '' : `  ${reason}`}`);
    }
  }
  const code = exitOf(ends.map(({ state }) => state));
  if (ends.some(({ state }) => !isTerminal(state))) out.note('the limit is over; what has not ended waits on');
  return code;
}
