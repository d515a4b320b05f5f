/** A task as the API shows it: the names of the submit, instants as ISO 8601, nothing of the inside. */
import { tryId } from '../core/task.ts';
import type { Task } from '../core/task.ts';

/** @returns an instant (epoch ms) as ISO 8601 in UTC. */
export function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

const isoOrNothing = (epochMs: number | undefined): string | undefined =>
  epochMs === undefined ? undefined : iso(epochMs);

/** @returns the JSON of a task. Left out: what has no value, and what only the service works with. */
export function present(task: Task) {
  const { retry_exponential_backoff: factor, ...exec } = task.exec;
  const { logical_date, ...coordinates } = task.coordinates;
  return {
    id: task.id,
    state: task.state,
    reason: task.reason,
    result: task.result,
    try_id: tryId(task),
    try_number: task.try_number,
    max_tries: task.max_tries,
    queue: task.queue,
    mode: task.mode,
    sensor: task.sensor,
    ...exec,
    retry_exponential_backoff: factor === 0 ? false : factor,
    ...coordinates,
    logical_date: logical_date?.replace(' ', 'T'),
    tags: task.tags,
    hashcode: task.hashcode,
    shardcode: task.shardcode,
    created_at: iso(task.created_at),
    updated_at: iso(task.updated_at),
    started_at: iso(task.started_at),
    deadline: iso(task.deadline),
    ended_at: isoOrNothing(task.ended_at),
    next_retry_at: isoOrNothing(task.next_retry_at),
    owner: task.owner,
    heartbeat_at: isoOrNothing(task.heartbeat_at),
    cancel: task.cancel,
    history: task.history.map(({ at, ...entry }) => ({ at: iso(at), ...entry })),
  };
}

/** @returns the entity tag of a task's record. */
export function etag({ rev }: Pick<Task, 'rev'>): string {
  return `"${rev}"`;
}
