/**
 * Before a service is destroyed: what it has begun by itself is stopped, and nothing of a user's is touched. Its queues
 * are paused, so that nothing begins anew; tasks stay as they are, for the next deploy that takes over the table.
 */
import pLimit from 'p-limit';
import type { Queue, SensoriumClient } from '../client/index.ts';
import { ACTIVE_STATES } from '../functions/core/task.ts';
import type { Progress } from './progress.ts';
import { settingsOfQueue } from './queue-settings.ts';
import type { Machine, StateMachines } from './state-machines.ts';

/** What a drain has done, and what it has left. */
export interface Drained {
  /** Queues that it has paused, and those that were paused before. */
  readonly paused: readonly string[];
  readonly paused_before: readonly string[];
  /** Executions of mode deferrable that it has stopped, and that still run. */
  readonly stopped: number;
  readonly running: number;
  /** Executions of SubmitAndWait, which are their callers': stopped, and still running. */
  readonly callers_stopped: number;
  readonly callers_running: number;
  /** Active tasks of each queue that has any; `COUNTED` stands for that many or more. They stay in the table. */
  readonly tasks: Readonly<Record<string, number>>;
  /** Of these, the ones that a worker holds in mode poke. */
  readonly runs: number;
}

export interface DrainOptions {
  /** Stop the executions of SubmitAndWait as well. */
  readonly callers: boolean;
}

/** Requests at once: StopExecution takes some tens a second. */
const AT_ONCE = 8;

/** An execution that hands over while it is stopped has begun the next one: looked for again so often. */
const ROUNDS = 5;

/** May be repeated: what is paused stays paused, what is stopped is not there any more. */
export async function drain(
  client: SensoriumClient,
  { deferral, callers }: StateMachines,
  options: DrainOptions,
  progress: Progress,
): Promise<Drained> {
  const queues = await client.queues();
  const awake = queues.filter(({ paused }) => !paused);
  for (const queue of awake) await client.setQueue(queue.name, { ...settingsOfQueue(queue), paused: true });
  const own = await stopAll(deferral, progress);
  const theirs = options.callers ? await stopAll(callers, progress) : { stopped: 0, left: await countOf(callers) };
  progress.end();
  return {
    paused: awake.map(nameOf),
    paused_before: queues.filter(({ paused }) => paused).map(nameOf),
    stopped: own.stopped,
    running: own.left,
    callers_stopped: theirs.stopped,
    callers_running: theirs.left,
    ...(await activeTasks(client, queues)),
  };
}

const nameOf = ({ name }: Queue): string => name;

const countOf = async (machine: Machine): Promise<number> => (await machine.running()).size;

async function stopAll(
  machine: Machine,
  progress: Progress,
): Promise<{ readonly stopped: number; readonly left: number }> {
  let stopped = 0;
  const stop = async (name: string): Promise<void> => {
    await machine.stop(name);
    stopped += 1;
    progress.at(stopped);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const names = await machine.running();
    if (names.size === 0) return { stopped, left: 0 };
    await pLimit(AT_ONCE).map([...names], stop);
  }
  return { stopped, left: await countOf(machine) };
}

/** More active tasks of a queue are not counted. */
export const COUNTED = 10_000;

async function activeTasks(
  client: SensoriumClient,
  queues: readonly Queue[],
): Promise<Pick<Drained, 'tasks' | 'runs'>> {
  const tasks: Record<string, number> = {};
  let runs = 0;
  for (const { name } of queues) {
    let active = 0;
    for await (const { state, mode, sensor } of client.listAll({ queue: name, state: ACTIVE_STATES })) {
      active += 1;
      if (state === 'running' && mode === 'poke' && sensor.type !== 'external') runs += 1;
      if (active === COUNTED) break;
    }
    if (active > 0) tasks[name] = active;
  }
  return { tasks, runs };
}
