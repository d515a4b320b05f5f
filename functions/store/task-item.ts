import * as z from 'zod/mini';
import type { Coordinates, ExecutionContext, Owner, Task } from '../core/task.ts';
import { isTerminal, MODES, pokesForItself, STATES } from '../core/task.ts';
import {
  hashcodePartition,
  RUN_MARKS,
  shardcodePartition,
  statePart,
  statePartition,
  taskIdOf,
  taskKey,
  TTL_SECONDS,
} from './keys.ts';
import { isPoison, parsed, readOnce } from './poison.ts';
import type { Poison } from './store.ts';
import type { Item } from './table.ts';
import { toAttributes } from './value.ts';

/** Values of the execution context that need not be said: most tasks have them, and an item is paid by the kilobyte. */
const UNSAID: Partial<ExecutionContext> = {
  exponential_backoff: false,
  retry_on_timeout: false,
  retries: 0,
  retry_exponential_backoff: 0,
  soft_fail: false,
  silent_fail: false,
  never_fail: false,
  cancel_on_kill: false,
};

const no = z._default(z.boolean(), false);
const maybe = z.exactOptional(z.number());

export const sensorSchema = z.looseObject({ type: z.string() });

/** The record's fields as attributes; a field that is added to the task and not here does not compile. */
const fields = {
  rev: z.int(),
  queue: z.string(),
  mode: z.enum(MODES),
  mode_reason: z.exactOptional(z.string()),
  sensor: sensorSchema,
  exec: z.object({
    poke_interval: z.number(),
    exponential_backoff: no,
    max_wait: maybe,
    timeout: z.number(),
    execution_timeout: maybe,
    retry_on_timeout: no,
    retries: z._default(z.int(), 0),
    retry_delay: z.number(),
    retry_exponential_backoff: z._default(z.number(), 0),
    max_retry_delay: maybe,
    soft_fail: no,
    silent_fail: no,
    never_fail: no,
    cancel_on_kill: no,
    heartbeat_timeout: z.number(),
  } satisfies Record<keyof ExecutionContext, unknown>),
  coordinates: z._default(
    z.object({
      dag_id: z.exactOptional(z.string()),
      task_id: z.exactOptional(z.string()),
      run_id: z.exactOptional(z.string()),
      map_index: maybe,
      logical_date: z.exactOptional(z.string()),
    } satisfies Record<keyof Coordinates, unknown>),
    {},
  ),
  tags: z.exactOptional(z.record(z.string(), z.string())),
  hash: z.string(),
  code: z.int(),
  state: z.enum(STATES),
  try_number: z.int(),
  max_tries: z.int(),
  created_at: z.number(),
  updated_at: z.number(),
  started_at: z.number(),
  deadline: z.number(),
  ended_at: maybe,
  next_retry_at: maybe,
  wake_at: maybe,
  reason: z.exactOptional(z.string()),
  result: z.exactOptional(z.unknown()),
  hostname: z.exactOptional(z.string()),
  unixname: z.exactOptional(z.string()),
  pid: maybe,
  heartbeat_at: maybe,
  first_unknown_at: maybe,
  callback_tokens: z.exactOptional(z.array(z.string())),
  asked: z.exactOptional(z.string()),
  cancel: z.exactOptional(
    z.object({ state: z.enum(['wanted', 'asked', 'done', 'failed']), reason: z.exactOptional(z.string()) }),
  ),
  history: z.array(
    z.object({
      at: z.number(),
      from: z.enum([...STATES, 'none']),
      to: z.enum(STATES),
      try_number: z.int(),
      why: z.string(),
      by: z.string(),
    }),
  ),
  submit_hash: z.string(),
  first_poke: z.exactOptional(z.boolean()),
  restored_at: maybe,
  expires_at: maybe,
} satisfies Record<
  Exclude<keyof Task, 'id' | 'hashcode' | 'shardcode' | 'owner'> | 'hash' | 'code' | keyof Owner,
  unknown
>;

const schema = z.object(fields);

/** @returns the task as the table keeps it, in the indexes where it belongs. */
export function taskItem(task: Task): Item {
  const { id, hashcode, shardcode, owner, exec, coordinates, expires_at: _, ...rest } = task;
  const said = Object.entries(exec).filter(([name, value]) => !(name in UNSAID && value === unsaid(name)));
  return {
    pk: taskKey(id),
    ...toAttributes({
      ...rest,
      // The owner's parts stand by themselves, so that a heartbeat can be conditional on them.
      ...owner,
      exec: Object.fromEntries(said),
      coordinates: Object.keys(coordinates).length === 0 ? undefined : coordinates,
      // The index attributes have these names; they are missing while the task is not in the index.
      hash: hashcode,
      code: shardcode,
      ...taskIndexes(task),
      ...runMarks(task),
      expires_at: expiry(task),
    }),
  };
}

/** The attributes that place a task in the indexes. */
export const TASK_INDEX_ATTRIBUTES: readonly string[] = [
  'hashcode',
  'deadline',
  'shardcode',
  'wake_at',
  'state_partition',
  'updated_at',
];

/** @returns a task's attributes in the sparse indexes, undefined where it is not in one. */
function taskIndexes(task: Task): Record<'hashcode' | 'shardcode' | 'state_partition', string | undefined> {
  const waits = task.state === 'sensing' || task.state === 'deferred';
  return {
    hashcode: waits ? hashcodePartition(task) : undefined,
    shardcode: task.wake_at === undefined ? undefined : shardcodePartition(task.queue, task.shardcode),
    state_partition: statePartition(task.queue, task.state, statePart(task.id)),
  };
}

/** @returns what tells the tasks that poke for themselves, waiting or running, from all else that is awake. */
function runMarks(task: Task): Readonly<Record<string, true>> {
  if (!pokesForItself(task)) return {};
  const leased = task.state === 'running';
  const waits = task.state === 'queued' || task.state === 'up_for_reschedule';
  return { ...(leased || waits ? { [RUN_MARKS.run]: true } : {}), ...(leased ? { [RUN_MARKS.leased]: true } : {}) };
}

/** Set while a task is at its end and not before, whatever the record says: a cleared task must not vanish. */
function expiry(task: Task): number | undefined {
  if (!isTerminal(task.state)) return undefined;
  return task.expires_at ?? Math.ceil((task.ended_at ?? task.updated_at) / 1000) + TTL_SECONDS;
}

function unsaid(name: string): unknown {
  const values: Readonly<Record<string, unknown>> = UNSAID;
  return values[name];
}

/** @returns the task of an item, or poison that names the field that cannot be read. */
export const readTask = readOnce((item: Item): Task | Poison => {
  const id = taskIdOf(item.pk);
  if (id === undefined) return { key: item.pk, problem: 'pk: not the key of a task' };
  const read = parsed(schema, item);
  if (isPoison(read)) return read;
  const { hash, code, hostname, unixname, pid, ...rest } = read;
  const task = { id, ...rest, hashcode: hash, shardcode: code };
  return hostname === undefined || unixname === undefined || pid === undefined
    ? task
    : { ...task, owner: { hostname, unixname, pid } };
});
