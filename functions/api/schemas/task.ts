/** The body of a submit (DESIGN, section 7): the schema, its defaults, and what becomes of it. */
import * as z from 'zod/mini';
import { MODES } from '../../core/task.ts';
import type { Coordinates, ExecutionContext } from '../../core/task.ts';
import { sensorSchema } from '../../sensors/registry.ts';
import type { Validated } from '../../validation.ts';
import { validatePlain } from '../body.ts';
import { atMost, DAY, duration, pythonDate, queueName, taskId, text, WEEK, YEAR } from './fields.ts';

/** As long as Step Functions makes them. A token is a bearer capability: no text of ours repeats it. */
const callback = z.strictObject({ task_token: text(2048) });

/** More tries than anybody waits for; every formula stays in its bounds there. */
const MAX_RETRIES = 1_000_000;

const no = z._default(z.boolean(), false);
const maybe = <Schema extends z.ZodMiniType>(schema: Schema) => z.exactOptional(schema);

const FACTOR = 'must be true, false, 0, or from 1 to 1000';

/** `true` is Airflow's factor 2, `false` a constant delay, a number the factor itself. */
const factor = z.pipe(
  z.union([
    z.boolean(),
    z.number().check(z.refine((value) => value === 0 || (value >= 1 && value <= 1000), { error: FACTOR })),
  ]),
  z.transform((value) => (typeof value === 'boolean' ? (value ? 2 : 0) : value)),
);

const tags = z.record(text(128), z.string().check(z.maxLength(256))).check(atMost(50));

export const submittedTask = z
  .strictObject({
    sensor: sensorSchema,
    id: maybe(taskId),
    queue: z._default(queueName, 'default'),
    /** `auto`: the cheapest of smart and deferrable that keeps the interval. */
    mode: z._default(z.enum([...MODES, 'auto']), 'smart'),

    poke_interval: z.prefault(duration(1, WEEK), 60),
    exponential_backoff: no,
    max_wait: maybe(duration(1, WEEK)),
    timeout: z.prefault(duration(0.001, YEAR), WEEK),
    execution_timeout: maybe(duration(0.001, YEAR)),
    retry_on_timeout: no,
    retries: z._default(z.int().check(z.gte(0), z.lte(MAX_RETRIES)), 0),
    retry_delay: z.prefault(duration(0, YEAR), 300),
    retry_exponential_backoff: z.prefault(factor, false),
    max_retry_delay: maybe(duration(0, YEAR)),
    soft_fail: no,
    silent_fail: no,
    never_fail: no,
    cancel_on_kill: no,
    heartbeat_timeout: z.prefault(duration(1, DAY), 300),

    dag_id: maybe(text(250)),
    task_id: maybe(text(250)),
    run_id: maybe(text(250)),
    /** Airflow's -1: not mapped. */
    map_index: maybe(z.int().check(z.gte(-1), z.lte(2_147_483_647))),
    logical_date: maybe(pythonDate),
    tags: maybe(tags),

    callback: maybe(callback),
  })
  .check(
    z.refine(({ soft_fail, never_fail }) => !(soft_fail && never_fail), {
      path: ['never_fail'],
      error: 'excludes soft_fail: only one of the two may be true',
    }),
  );

export type SubmittedTask = z.infer<typeof submittedTask>;

/** One task, or a batch of them: `{ "tasks": [...] }`. What is in the list is validated task by task. */
export const batchBody = z.strictObject({ tasks: z.array(z.unknown()).check(z.minLength(1), z.maxLength(500)) });

/** @returns the task that a body describes, defaults filled in, durations in seconds; or what is wrong with it. */
export function parseTask(body: unknown): Validated<SubmittedTask> {
  return validatePlain(submittedTask, body);
}

/** @returns how the task is waited for, as records keep it. */
export function executionOf(task: SubmittedTask): ExecutionContext {
  const { sensor: _s, id: _i, queue: _q, mode: _m, tags: _t, callback: _c, ...rest } = task;
  const { dag_id: _d, task_id: _k, run_id: _r, map_index: _x, logical_date: _l, ...exec } = rest;
  return exec;
}

/** @returns Airflow's coordinates, those that were given. */
export function coordinatesOf({ dag_id, task_id, run_id, map_index, logical_date }: SubmittedTask): Coordinates {
  return {
    ...(dag_id === undefined ? {} : { dag_id }),
    ...(task_id === undefined ? {} : { task_id }),
    ...(run_id === undefined ? {} : { run_id }),
    ...(map_index === undefined ? {} : { map_index }),
    ...(logical_date === undefined ? {} : { logical_date }),
  };
}
