/** What the notifier tells of a change: the event `Task State Changed`. */
import { isTerminal, tryId } from '../core/task.ts';
import type { State, Task } from '../core/task.ts';
import type { StreamChange } from '../store/stream.ts';

/** The detail of a `Task State Changed` event. Instants are ISO 8601. */
export interface StateChanged {
  /** One id for one fact; deliveries may repeat: `<task id>~<try_number>#<state>`. */
  readonly id: string;
  readonly task_id: string;
  readonly try_id: string;
  readonly try_number: number;
  readonly max_tries: number;
  readonly state: State;
  readonly previous_state: State | 'none';
  readonly queue: string;
  readonly mode: string;
  readonly sensor: string;
  readonly at: string;
  readonly reason?: string;
  readonly next_retry_at?: string;
  readonly coordinates?: Task['coordinates'];
  readonly tags?: Task['tags'];
}

/** Whether a change is a backup's: an end that comes into the table as one, and was told when it was reached. */
export function isRestored({ before, after }: StreamChange): boolean {
  return before === undefined && after?.restored_at !== undefined;
}

/** @returns the event that a change is worth, or undefined: nobody needs to know. */
export function eventOf(change: StreamChange): StateChanged | undefined {
  const { before, after } = change;
  if (isRestored(change)) return undefined;
  if (after === undefined || !(isTerminal(after.state) || after.state === 'up_for_retry')) return undefined;
  if (before?.state === after.state && before.try_number === after.try_number) return undefined;
  return detailOf(after, before?.state ?? 'none');
}

/** @returns what is told of a task in its state. Field by field: what a record has besides is not for others. */
export function detailOf(task: Task, previous: State | 'none'): StateChanged {
  const { coordinates, tags, reason, next_retry_at } = task;
  return {
    id: `${tryId(task)}#${task.state}`,
    task_id: task.id,
    try_id: tryId(task),
    try_number: task.try_number,
    max_tries: task.max_tries,
    state: task.state,
    previous_state: previous,
    queue: task.queue,
    mode: task.mode,
    sensor: task.sensor.type,
    at: new Date(task.updated_at).toISOString(),
    ...(reason === undefined ? {} : { reason }),
    ...(next_retry_at === undefined ? {} : { next_retry_at: new Date(next_retry_at).toISOString() }),
    ...(Object.keys(coordinates).length === 0 ? {} : { coordinates }),
    ...(tags === undefined ? {} : { tags }),
  };
}
