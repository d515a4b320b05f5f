/** What a wait has cost, and will have when it goes on to its deadline: a model (core/cost.ts), and a task's share of it. */
import { estimate } from '../core/cost.ts';
import { isTerminal } from '../core/task.ts';
import type { Task } from '../core/task.ts';
import { waitOf } from './estimate.ts';

interface Cost {
  /** Calls of the watched service that are made for all who share them. */
  readonly calls: number;
  /** This task's share. */
  readonly dollars: number;
}

export interface TaskCost {
  readonly so_far: Cost;
  /** Besides; missing once the task has ended. */
  readonly until_deadline?: Cost;
  /** Among how many tasks the pokes are divided. */
  readonly shared_by: number;
}

/** @param sharedBy how many tasks have the same condition, this one among them */
export function costOf(task: Task, sharedBy: number, now: number): TaskCost {
  const shared_by = Math.max(1, sharedBy);
  const end = Math.max(task.created_at, task.ended_at ?? now);
  const so_far = costOver(task, shared_by, end - task.created_at);
  if (isTerminal(task.state)) return { so_far, shared_by };
  const whole = costOver(task, shared_by, Math.max(end, task.deadline) - task.created_at);
  const rest = { calls: whole.calls - so_far.calls, dollars: whole.dollars - so_far.dollars };
  return { so_far, until_deadline: rest, shared_by };
}

function costOver(task: Task, sharedBy: number, ms: number): Cost {
  const wait = { ...waitOf(task.sensor, task.exec, sharedBy), seconds: ms / 1000 };
  const mode = estimate(wait).find((one) => one.mode === task.mode);
  // Every mode is estimated.
  if (mode === undefined) throw new Error(`no estimate for the mode ${task.mode}`);
  return { calls: Math.round(mode.calls), dollars: mode.dollars / sharedBy };
}
