/** Scenario files: one JSON file is a scripted world, what users do in it, and what must come out. Parsed strictly. */
import * as z from 'zod/mini';
import { STATES } from '../functions/core/task.ts';
import { openedSchema } from '../functions/sensors/opened-schema.ts';
import { validate } from '../functions/validation.ts';

const seconds = z.number().check(z.nonnegative());
const text = z.string().check(z.minLength(1));
const count = z.int().check(z.nonnegative());
const range = z.tuple([z.number(), z.number()]);

const window = { from: seconds, to: seconds };
const share = z.optional(z.number().check(z.gt(0), z.lte(1)));

const s3Entry = z.strictObject({
  at: seconds,
  present: z.optional(z.boolean()),
  size: z.optional(count),
  denied: z.optional(z.boolean()),
});
const emrEntry = z.strictObject({
  at: seconds,
  state: text,
  reason: z.optional(z.string()),
  message: z.optional(z.string()),
  log_file: z.optional(z.string()),
});
const glueEntry = z.strictObject({ at: seconds, present: z.boolean() });
const httpEntry = z.strictObject({ at: seconds, status: z.int(), body: z.optional(z.unknown()) });

function timeline<Entry extends z.ZodMiniType<{ at: number }>>(entry: Entry) {
  return z.record(text, z.array(entry).check(inOrder('a timeline')));
}

function inOrder(what: string) {
  return z.refine<readonly { at: number }[]>(
    (list) => list.every(({ at }, index) => at >= (list[index - 1]?.at ?? 0)),
    {
      error: `${what} must be in order of time`,
    },
  );
}

const eventEntry = z.union([
  z.strictObject({ at: seconds, source: z.literal('aws.s3'), bucket: text, key: text }),
  z.strictObject({ at: seconds, source: z.literal('aws.emr'), cluster: text, step: z.optional(text), state: text }),
]);

const world = z.strictObject({
  s3: z._default(timeline(s3Entry), {}),
  emr: z._default(timeline(emrEntry), {}),
  glue: z._default(timeline(glueEntry), {}),
  http: z._default(timeline(httpEntry), {}),
  events: z._default(z.array(eventEntry), []),
});

export const SERVICES = ['s3', 'emr', 'glue', 'http', 'dynamodb', 'eventbridge', 'lambda', 'sqs', 'sfn'] as const;
export const FUNCTIONS = [
  'shard-worker',
  'poke-worker',
  'dispatcher',
  'api',
  'execution-api',
  'router',
  'events',
  'notifier',
  'deferral',
] as const;

const service = z.enum(SERVICES);
const operation = z.optional(text);
const fn = z.enum(FUNCTIONS);

const faults = {
  error: z.strictObject({ service, operation, ...window, error: text, share }),
  lost_answer: z.strictObject({ service: z.literal('dynamodb'), ...window, lost_answer: z.literal(true), share }),
  hang: z.strictObject({ service, operation, ...window, hang: z.literal(true) }),
  calls_per_second: z.strictObject({ service, operation, ...window, calls_per_second: z.number().check(z.gt(0)) }),
  refill: z.strictObject({
    service,
    operation,
    ...window,
    refill: z.number().check(z.gt(0)),
    burst: z.number().check(z.gte(1)),
  }),
  index_lag: z.strictObject({ index_lag: seconds, ...window }),
  kill: z.strictObject({ kill: fn, at: seconds, after_writes: z._default(count, 0) }),
  vanish: z.strictObject({ vanish: z.literal('deferral'), at: seconds }),
  duplicate: z.strictObject({ duplicate: fn, at: seconds }),
  drop: z.strictObject({ drop: z.literal('tick'), ...window }),
  skew: z.strictObject({ skew: fn, seconds: z.number(), ...window }),
} as const;

/** Which kind of fault an object is: the field that only this kind has. */
const KINDS = Object.keys(faults) as (keyof typeof faults)[];

const fault = z.union([
  faults.error,
  faults.lost_answer,
  faults.hang,
  faults.calls_per_second,
  faults.refill,
  faults.index_lag,
  faults.kill,
  faults.vanish,
  faults.duplicate,
  faults.drop,
  faults.skew,
]);

const body = z.record(z.string(), z.unknown());

const submitStep = z.strictObject({ at: seconds, submit: body, copies: z.optional(z.int().check(z.gte(1))) });
const requestStep = z.strictObject({
  at: seconds,
  request: z.strictObject({
    method: z.enum(['GET', 'PUT', 'POST', 'PATCH', 'DELETE']),
    path: text,
    body: z.optional(z.unknown()),
  }),
  status: z.optional(z.int()),
  body: z.optional(z.unknown()),
});
const openStep = z.strictObject({ at: seconds, opened: openedSchema });
const checkStep = z.strictObject({ at: seconds, task: text, is: body });

const expected = z.strictObject({
  tasks: z._default(z.record(text, z.looseObject({ ended: z.optional(range), reason: z.optional(z.string()) })), {}),
  calls: z._default(z.record(text, range), {}),
  peak_per_second: z._default(
    z.record(text, z.union([z.number(), z.strictObject({ max: z.number(), from: z._default(seconds, 0) })])),
    {},
  ),
  alerts: z._default(z.record(text, z.array(z.enum(STATES))), {}),
  told: z._default(z.record(text, z.nullable(range)), {}),
  writes: z._default(z.array(z.strictObject({ ...window, max: count })), []),
  workers: z._default(z.array(z.strictObject({ at: seconds, queue: text, desired: count })), []),
  concurrent: z.optional(z.strictObject({ max: count, from: z._default(seconds, 0) })),
});

const MODES = ['smart', 'deferrable', 'reschedule', 'poke', 'auto'] as const;

const scenario = z.strictObject({
  name: text,
  start: z._default(z.iso.datetime({ offset: true }), '2024-01-01T00:00:00Z'),
  until: seconds,
  modes: z._default(z.array(z.enum(MODES)).check(z.minLength(1)), ['smart']),
  settings: z._default(body, {}),
  queues: z._default(z.record(text, body), {}),
  world: z._default(world, { s3: {}, emr: {}, glue: {}, http: {}, events: [] }),
  faults: z._default(z.array(z.unknown()), []),
  steps: z.array(z.unknown()),
  expect: expected,
});

export type World = z.infer<typeof world>;
export type WorldEvent = z.infer<typeof eventEntry>;
export type Fault = z.infer<typeof fault>;
export type SubmitStep = z.infer<typeof submitStep>;
export type RequestStep = z.infer<typeof requestStep>;
export type CheckStep = z.infer<typeof checkStep>;
export type OpenStep = z.infer<typeof openStep>;
export type Step = SubmitStep | RequestStep | CheckStep | OpenStep;
export type Expected = z.infer<typeof expected>;
export type ScenarioMode = (typeof MODES)[number];

export interface Scenario extends Omit<z.infer<typeof scenario>, 'faults' | 'steps'> {
  readonly faults: readonly Fault[];
  readonly steps: readonly Step[];
}

/** The file is no scenario: names the field and what was expected there. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

/** @returns the scenario that a file's text describes. @throws ScenarioError */
export function parseScenario(file: string): Scenario {
  let input: unknown;
  try {
    input = JSON.parse(file);
  } catch (cause) {
    throw new ScenarioError(`not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  return readScenario(input);
}

/** @returns the scenario, every default filled in. @throws ScenarioError */
export function readScenario(input: unknown): Scenario {
  const outer = valid(scenario, input, '');
  const steps = outer.steps.map((step, index) => readStep(step, `steps[${index}]`));
  const late = steps.findIndex(({ at }, index) => at < (steps[index - 1]?.at ?? 0));
  if (late >= 0) throw new ScenarioError(`steps[${late}].at must not be before the step before it`);
  return { ...outer, faults: outer.faults.map((one, index) => readFault(one, `faults[${index}]`)), steps };
}

function readFault(input: unknown, field: string): Fault {
  const fields = valid(body, input, field);
  const kind = KINDS.find((name) => name in fields);
  if (kind === undefined) throw new ScenarioError(`${field} must have one of ${KINDS.join(', ')}`);
  const schema: z.ZodMiniType<Fault> = faults[kind];
  return valid(schema, input, field);
}

function readStep(input: unknown, field: string): Step {
  const fields = valid(body, input, field);
  if ('submit' in fields) return valid(submitStep, input, field);
  if ('request' in fields) return valid(requestStep, input, field);
  if ('task' in fields) return valid(checkStep, input, field);
  if ('opened' in fields) return valid(openStep, input, field);
  throw new ScenarioError(`${field} must have one of submit, request, task, opened`);
}

function valid<Value>(schema: z.ZodMiniType<Value>, input: unknown, field: string): Value {
  const answer = validate(schema, input);
  if (answer.ok) return answer.value;
  const [first] = answer.faults;
  const place = first.field === 'body' ? field : field === '' ? first.field : `${field}.${first.field}`;
  throw new ScenarioError(`${place === '' ? 'the file' : place} ${first.detail}`);
}
