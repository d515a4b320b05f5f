/**
 * Each function's environment, declared once: `lib` has to give every variable (`Environment<'api'>`), the handler reads
 * it at its start, and a missing or unreadable one fails with its name before any work is done.
 */
import * as z from 'zod/mini';
import { validate } from './validation.ts';

/** What a variable holds, for the reader of a console. */
export const VARIABLES = {
  TABLE_NAME: 'name of the DynamoDB table',
  ALLOW_CANCEL: 'true or false: whether removing a task may end what it watches',
  SETTINGS: 'JSON object of overrides of the service settings',
  PAGE_TOKEN_KEY: 'secret that signs page tokens, at least 16 characters',
  SHARD_WORKER_NAME: 'name or ARN of the shard worker function',
  POKE_WORKER_NAME: 'name or ARN of the function that runs tasks which poke for themselves',
  DEFERRAL_NAME: 'name or ARN of the deferral function',
  STATE_MACHINE_ARN: 'ARN of the state machine that waits for deferrable targets',
  NOTIFIER_NAME: 'name or ARN of the function that tells who waits',
  EVENT_BUS_NAME: 'name or ARN of the event bus',
} as const;

export type Variable = keyof typeof VARIABLES;

export const ENVIRONMENT = {
  api: ['TABLE_NAME', 'ALLOW_CANCEL', 'SETTINGS', 'PAGE_TOKEN_KEY'],
  'execution-api': ['TABLE_NAME'],
  submit: ['TABLE_NAME', 'ALLOW_CANCEL', 'SETTINGS'],
  dispatcher: ['TABLE_NAME', 'SETTINGS', 'SHARD_WORKER_NAME', 'DEFERRAL_NAME', 'NOTIFIER_NAME'],
  'shard-worker': ['TABLE_NAME', 'SETTINGS', 'POKE_WORKER_NAME'],
  'poke-worker': ['TABLE_NAME', 'SETTINGS'],
  router: ['SHARD_WORKER_NAME', 'DEFERRAL_NAME'],
  events: ['TABLE_NAME', 'SHARD_WORKER_NAME', 'DEFERRAL_NAME'],
  deferral: ['TABLE_NAME', 'SETTINGS', 'STATE_MACHINE_ARN'],
  notifier: ['TABLE_NAME', 'EVENT_BUS_NAME', 'SETTINGS'],
} as const satisfies Readonly<Record<string, readonly Variable[]>>;

export type FunctionName = keyof typeof ENVIRONMENT;

/** The variables of a function, all of them. */
export type Environment<Name extends FunctionName> = Readonly<Record<(typeof ENVIRONMENT)[Name][number], string>>;

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws SettingsError naming every variable of the function that is missing or empty. */
export function readEnvironment<Name extends FunctionName>(name: Name, variables: Variables): Environment<Name> {
  if (isComplete(name, variables)) return variables;
  const missing = ENVIRONMENT[name].filter((variable) => !variables[variable]);
  throw new SettingsError(missing.map((variable) => `${variable} is not set (${VARIABLES[variable]})`).join('; '));
}

function isComplete<Name extends FunctionName>(name: Name, variables: Variables): variables is Environment<Name> {
  return ENVIRONMENT[name].every((variable) => variables[variable]);
}

const seconds = z.number().check(z.gte(1));

/** What an operator may set for the whole service: what is left out has its default. */
export interface SettingsOverrides {
  /** How often the schedule fires, about. @default 60 */
  readonly tick_seconds?: number;
  /** Shardcodes are hashcodes modulo this; fixed for the life of the table. @default 64 */
  readonly shard_code_upper_limit?: number;
  /** Shards of a queue, contiguous ranges of shardcodes; fixed for the life of the table. @default 16 */
  readonly shards?: number;
  /** How long nothing fails for want of an answer. @default 7800, which is 130 minutes */
  readonly infra_window_seconds?: number;
  /** How long a run of a task in poke mode goes on before it hands over, 30 to 840. @default 840 */
  readonly poke_run_seconds?: number;
  /** How long one call of a poke may take before it counts as unknown, 0.1 to 50. @default 10 */
  readonly poke_timeout_seconds?: number;
  /**
   * How many shard workers of a tick and runs of tasks that poke for themselves there may be at once, over all queues
   * together: 2 to 100,000. The rest of the account's concurrency (1,000 by default, 10 in a new account) is left to the
   * other functions. @default 500
   */
  readonly max_concurrency?: number;
  /** CloudWatch's namespace for the metrics; two services in one account and Region want two. @default 'Sensorium' */
  readonly metrics_namespace?: string;
}

export type ServiceSettings = Readonly<Required<SettingsOverrides>>;

const settings: z.ZodMiniType<ServiceSettings> = z.strictObject({
  tick_seconds: z._default(seconds, 60),
  shard_code_upper_limit: z._default(z.int().check(z.gte(1), z.lte(10_000)), 64),
  shards: z._default(z.int().check(z.gte(1), z.lte(10_000)), 16),
  infra_window_seconds: z._default(z.number().check(z.nonnegative()), 7800),
  // The function's own limit is 900.
  poke_run_seconds: z._default(z.number().check(z.gte(30), z.lte(840)), 840),
  poke_timeout_seconds: z._default(z.number().check(z.gte(0.1), z.lte(50)), 10),
  max_concurrency: z._default(z.int().check(z.gte(2), z.lte(100_000)), 500),
  metrics_namespace: z._default(z.string().check(z.regex(/^(?!AWS\/)[\w.\-/#:]{1,255}$/)), 'Sensorium'),
});

export const DEFAULT_SETTINGS: ServiceSettings = settings.parse({});

/** @returns the settings that a SETTINGS variable describes. @throws SettingsError naming the variable and the setting. */
export function parseSettings(text: string): ServiceSettings {
  return parsed('SETTINGS', settings, text);
}

/** The functions beside whose code lies the file of what is opened to sensors (sensors/opened.ts). */
export const JUDGES = [
  'api',
  'submit',
  'shard-worker',
  'poke-worker',
  'deferral',
] as const satisfies readonly FunctionName[];

/** @returns what a variable of true or false says. @throws SettingsError naming it. */
export function parseFlag(variable: Variable, text: string): boolean {
  return parsed(variable, z.boolean(), text);
}

/** @returns the key of a PAGE_TOKEN_KEY variable. @throws SettingsError if it is too short to be one. */
export function parseKey(text: string): string {
  if (text.length < 16) throw new SettingsError(`PAGE_TOKEN_KEY is too short (${VARIABLES.PAGE_TOKEN_KEY})`);
  return text;
}

function parsed<Out>(variable: Variable, schema: z.ZodMiniType<Out>, text: string): Out {
  const answer = validate(schema, json(variable, text));
  if (answer.ok) return answer.value;
  throw new SettingsError(answer.faults.map(({ field, detail }) => `${variable}: ${field} ${detail}`).join('; '));
}

function json(variable: Variable, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SettingsError(`${variable} is no JSON (${VARIABLES[variable]})`, { cause });
  }
}

/** The environment is not what the function needs: nothing can work. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
