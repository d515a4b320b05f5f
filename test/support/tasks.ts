import { newTask } from '../../functions/core/states.ts';
import type { ExecutionContext, Task } from '../../functions/core/task.ts';

/** 2024-01-01T00:00:00Z. */
export const T0 = 1_704_067_200_000;

export const EXEC: ExecutionContext = {
  poke_interval: 60,
  exponential_backoff: false,
  timeout: 3600,
  retry_on_timeout: false,
  retries: 0,
  retry_delay: 300,
  retry_exponential_backoff: 0,
  soft_fail: false,
  silent_fail: false,
  never_fail: false,
  cancel_on_kill: false,
  heartbeat_timeout: 300,
};

/** A task as just submitted at T0, with some fields and rules of its own. */
export function aTask(exec: Partial<ExecutionContext> = {}, fields: Partial<Task> = {}): Task {
  const base = {
    id: 'a',
    queue: 'default',
    mode: 'smart' as const,
    sensor: { type: 's3_key', bucket: 'b', key: ['k'], wildcard_match: false },
    exec: { ...EXEC, ...exec },
    coordinates: {},
    hashcode: '42',
    shardcode: 42,
    submit_hash: 'x',
  };
  const { mode, sensor, id, queue, hashcode, shardcode, submit_hash, ...rest } = { ...base, ...fields };
  const submitted = { mode, sensor, id, queue, hashcode, shardcode, submit_hash, exec: base.exec, coordinates: {} };
  return { ...newTask(submitted, T0, 'user:test'), ...rest, exec: base.exec };
}

/** An external task as just submitted. */
export function anExternalTask(exec: Partial<ExecutionContext> = {}, fields: Partial<Task> = {}): Task {
  return aTask(exec, { sensor: { type: 'external' }, ...fields });
}
