/** What the API answers, as schemas: for the OpenAPI document, and for the tests that hold the answers against them. */
import * as z from 'zod/mini';
import { MODES, STATES } from '../../core/task.ts';
import { RECEIVERS } from '../../core/untold.ts';

const state = z.enum(STATES);
/** An instant, ISO 8601 in UTC. */
const at = z.iso.datetime({ offset: true });
const maybe = z.exactOptional;
const tryNumber = z.int().check(z.gte(1));
const sensor = z.looseObject({ type: z.string() });
const cancel = z.strictObject({ state: z.enum(['wanted', 'asked', 'done', 'failed']), reason: maybe(z.string()) });
const owner = z.strictObject({ hostname: z.string(), unixname: z.string(), pid: z.int() });

export const taskAnswer = z.strictObject({
  id: z.string(),
  state,
  reason: maybe(z.string()),
  result: maybe(z.unknown()),
  try_id: z.string(),
  try_number: tryNumber,
  max_tries: z.int(),
  queue: z.string(),
  mode: z.enum(MODES),
  sensor,
  poke_interval: z.number(),
  exponential_backoff: z.boolean(),
  max_wait: maybe(z.number()),
  timeout: z.number(),
  execution_timeout: maybe(z.number()),
  retry_on_timeout: z.boolean(),
  retries: z.int(),
  retry_delay: z.number(),
  retry_exponential_backoff: z.union([z.literal(false), z.number()]),
  max_retry_delay: maybe(z.number()),
  soft_fail: z.boolean(),
  silent_fail: z.boolean(),
  never_fail: z.boolean(),
  cancel_on_kill: z.boolean(),
  heartbeat_timeout: z.number(),
  dag_id: maybe(z.string()),
  task_id: maybe(z.string()),
  run_id: maybe(z.string()),
  map_index: maybe(z.int()),
  logical_date: maybe(at),
  tags: maybe(z.record(z.string(), z.string())),
  hashcode: z.string(),
  shardcode: z.int(),
  created_at: at,
  updated_at: at,
  started_at: at,
  deadline: at,
  ended_at: maybe(at),
  next_retry_at: maybe(at),
  owner: maybe(owner),
  heartbeat_at: maybe(at),
  cancel: maybe(cancel),
  history: z.array(
    z.strictObject({
      at,
      from: z.enum([...STATES, 'none']),
      to: state,
      try_number: tryNumber,
      why: z.string(),
      by: z.string(),
    }),
  ),
});

export const queueAnswer = z.strictObject({
  name: z.string(),
  worker_concurrency: z.int(),
  min_workers: z.int(),
  max_workers: z.int(),
  cooldown_seconds: z.number(),
  budgets: z.record(z.string(), z.number()),
  paused: z.boolean(),
  max_active_tasks: maybe(z.int()),
  idle: z.boolean(),
  active_at: at,
  due: z.number(),
  held: z.number(),
  waiting: z.number(),
  dormant: z.number(),
  owed: z.number(),
  workers: z.strictObject({
    wanted: z.number(),
    running: z.int(),
    reason: maybe(z.string()),
    decided_at: maybe(at),
  }),
  rates: z.record(z.string(), z.number()),
});

export const queuesAnswer = z.strictObject({ queues: z.array(queueAnswer), next: maybe(z.string()) });

const usage = {
  calls: z.number(),
  transitions: z.number(),
  invocations: z.number(),
  gb_seconds: z.number(),
  reads: z.number(),
  writes: z.number(),
};

export const estimateAnswer = z.strictObject({
  duplicates: z.int(),
  wait: z.number(),
  prices: z.strictObject({
    source: z.string(),
    writes: z.number(),
    reads: z.number(),
    transitions: z.number(),
    invocations: z.number(),
    requests: z.number(),
    events: z.number(),
    gbSecond: z.number(),
  }),
  auto: z.strictObject({ mode: z.enum(['smart', 'deferrable']), why: z.string() }),
  modes: z.array(
    z.strictObject({
      mode: z.enum(MODES),
      ...usage,
      worker_seconds: z.number(),
      dollars: z.number(),
      detection_delay: z.number(),
    }),
  ),
});

export const problemAnswer = z.looseObject({
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  field: maybe(z.string()),
  errors: maybe(z.array(z.strictObject({ field: z.string(), detail: z.string() }))),
});

export const batchAnswer = z.strictObject({
  results: z.array(
    z.union([
      /** Without `task` where the answer would be too long with it; the task stands all the same. */
      z.strictObject({ id: z.string(), status: z.literal(201), task: maybe(taskAnswer) }),
      z.strictObject({ id: maybe(z.string()), status: z.int(), problem: problemAnswer }),
    ]),
  ),
});

export const listAnswer = z.strictObject({ tasks: z.array(taskAnswer), next: maybe(z.string()) });

export const readyAnswer = z.strictObject({
  id: z.string(),
  state,
  reason: maybe(z.string()),
  result: maybe(z.unknown()),
});

const estimated = maybe(z.literal(true));
const observation = z.looseObject({ kind: z.enum(['met', 'not_met', 'failed', 'error', 'unknown']), at, estimated });

/** How the instant of the next poke came about (core/due-rule.ts). */
const dueRule = z.union([
  z.strictObject({ rule: z.literal('deadline') }),
  z.strictObject({ rule: z.literal('not_before'), at }),
  z.strictObject({ rule: z.literal('interval'), interval: z.number(), phase: z.number() }),
  z.strictObject({
    rule: z.literal('exponential'),
    n: z.int(),
    base: z.number(),
    jitter: z.number(),
    cap: z.nullable(z.number()),
    delay: z.number(),
  }),
  z.strictObject({ rule: z.literal('max_wait'), interval: z.number() }),
]);

const cost = z.strictObject({ calls: z.int(), dollars: z.number() });

export const explainAnswer = z.strictObject({
  id: z.string(),
  state,
  summary: z.string(),
  reason: maybe(z.string()),
  try_number: tryNumber,
  max_tries: z.int(),
  queue: z.string(),
  mode: z.enum(MODES),
  mode_reason: maybe(z.string()),
  sensor,
  started_at: at,
  deadline: at,
  ended_at: maybe(at),
  owner: maybe(owner),
  heartbeat_at: maybe(at),
  cancel: maybe(cancel),
  next_poke: maybe(z.nullable(at)),
  next_poke_rule: maybe(dueRule),
  last_observation: maybe(z.nullable(observation)),
  last_poke: maybe(z.strictObject({ at, estimated: z.literal(true) })),
  limited_by: maybe(z.string()),
  short_of_calls: maybe(
    z.strictObject({
      budget: maybe(z.string()),
      calls_per_second: maybe(z.number()),
      owed_since: maybe(at),
      place_at_most: z.int(),
      expected_by: z.nullable(at),
    }),
  ),
  unknown_since: maybe(at),
  target: maybe(
    z.strictObject({
      hashcode: z.string(),
      shardcode: z.int(),
      poke_interval: maybe(z.number()),
      exponential_backoff: maybe(z.boolean()),
      max_wait: maybe(z.number()),
      tasks: z.int(),
      more: z.boolean(),
    }),
  ),
  cost: z.strictObject({ so_far: cost, until_deadline: maybe(cost), shared_by: z.int() }),
  retry: maybe(
    z.strictObject({
      base: z.number(),
      jitter: z.number(),
      cap: z.nullable(z.number()),
      delay: z.number(),
      next_retry_at: z.nullable(at),
    }),
  ),
  untold: maybe(
    z.array(
      z.strictObject({ receiver: z.enum(RECEIVERS), since: at, tries: z.int(), why: z.string(), next_try_at: at }),
    ),
  ),
});

/** OpenAPI's own schema says what else is in it. */
export const openApiAnswer = z.looseObject({ openapi: z.string(), info: z.looseObject({ version: z.string() }) });
