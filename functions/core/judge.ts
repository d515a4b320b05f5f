/**
 * Fan-out, per task: what an observation that many tasks share means to one of them, by that task's own rules
 * (DESIGN, section 4). Pure: the same observation, task and moment give the same event in every mode.
 */
import type { Observation } from './observation.ts';

import { endsByExecutionTimeout } from './states.ts';
import type { TaskEvent } from './states.ts';
import type { Task } from './task.ts';

export interface Judgement {
  /** The moment of the observation, epoch ms. */
  readonly at: number;
  /** The target's first unknown since its last clean poke, epoch ms; of this very observation if it is the first. */
  readonly firstUnknownAt?: number;
  /** How long nothing fails for want of an answer, ms. */
  readonly infraWindowMs: number;
}

/**
 * @returns the event that the observation is to the task, or undefined: it goes on waiting.
 * Success wins on the same poke, also past the deadline; the deadline ends a wait only on a clean "not met".
 */
export function judge(task: Task, observation: Observation, by: Judgement): TaskEvent | undefined {
  // A try that began after the poke (a task that was cleared meanwhile) gets a poke of its own.
  if (task.started_at > by.at) return undefined;
  switch (observation.kind) {
    case 'met':
      return observation.value === undefined ? { type: 'met' } : { type: 'met', value: observation.value };
    case 'not_met':
      return pastDeadline(task, by.at);
    case 'error':
      return task.exec.silent_fail ? pastDeadline(task, by.at) : { type: 'failed', reason: observation.reason };
    case 'failed':
      return { type: 'failed', reason: observation.reason };
    case 'unknown': {
      const openedAt = Math.max(by.firstUnknownAt ?? by.at, task.started_at);
      if (by.at - openedAt <= by.infraWindowMs) return undefined;
      const minutes = Math.round(by.infraWindowMs / 60_000);
      return { type: 'failed', reason: `no answer for more than ${minutes} minutes: ${observation.reason}` };
    }
  }
}

function pastDeadline(task: Task, at: number): TaskEvent | undefined {
  // Strict: at the deadline itself the wait goes on.
  if (at <= task.deadline) return undefined;
  return { type: endsByExecutionTimeout(task.exec) ? 'execution_timeout' : 'timeout' };
}

/** @returns whether the observation may end a wait whose deadline has not passed. */
export function endsWaits(observation: Observation): boolean {
  return observation.kind === 'met' || observation.kind === 'failed' || observation.kind === 'error';
}
