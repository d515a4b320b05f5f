/** The two APIs over a table in memory, on a clock that stands still until a test moves it. */
import { createApi } from '../../functions/api/api.ts';
import type { Api } from '../../functions/api/dispatch.ts';
import { ROUTES, withQueues } from '../../functions/api/routes.ts';
import { createExecutionApi } from '../../functions/execution-api/execution-api.ts';
import { EXECUTION_ROUTES } from '../../functions/execution-api/routes.ts';
import { transition } from '../../functions/core/states.ts';
import type { TaskEvent } from '../../functions/core/states.ts';
import type { Task } from '../../functions/core/task.ts';
import { createStore } from '../../functions/store/create-store.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import type { TableChange } from '../../functions/store/memory-table.ts';
import type { Store } from '../../functions/store/store.ts';
import type { Table } from '../../functions/store/table.ts';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import type { Opened } from '../../functions/sensors/opened.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import { T0 } from '../support/tasks.ts';

export const KEY = 'a key of the tests, of no use';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The parsed body; undefined if there is none. */
  readonly body: Body;
}

/** What tests look at in bodies: each answer has some of these. */
export interface Body {
  readonly id: string;
  readonly field: string;
  readonly detail: string;
  readonly summary: string;
  readonly next?: string;
  readonly next_poke: string;
  readonly next_poke_rule: unknown;
  readonly last_observation: unknown;
  readonly last_poke: unknown;
  readonly short_of_calls: unknown;
  readonly cost: { readonly so_far: { readonly calls: number; readonly dollars: number } };
  readonly retry: unknown;
  readonly try_number: number;
  readonly errors: readonly unknown[];
  readonly tasks: readonly Body[];
  readonly results: readonly { readonly id: string; readonly status: number }[];
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as it is sent; wins over `body`. */
  readonly text?: string;
  readonly base64?: boolean;
  readonly userArn?: string | null;
  /** What API Gateway says of the path, in place of what follows from it. */
  readonly handedOn?: { readonly resource: string; readonly pathParameters: Readonly<Record<string, string>> };
}

export interface ServiceOptions {
  readonly opened?: Opened;
  readonly allowCancel?: boolean;
  /** Puts something between the store and its table. */
  readonly wrap?: (table: Table) => Table;
}

export interface Service {
  readonly store: Store;
  readonly table: Table;
  /** All writes so far. */
  readonly changes: TableChange[];
  readonly logged: object[];
  /** Moves the clock to so many seconds after T0. */
  readonly at: (seconds: number) => void;
  readonly call: (method: string, path: string, body?: unknown, options?: CallOptions) => Promise<Reply>;
  /** Submits one task; fails unless it is taken. */
  readonly submit: (body: object) => Promise<Task>;
  readonly task: (id: string) => Promise<Task>;
  /** What a worker does to a task. */
  readonly move: (id: string, event: TaskEvent) => Promise<void>;
}

export const SENSOR = { type: 's3_key', bucket: 'landing', key: 'in/a.csv' };

export function aService({ opened = ALL_OPEN, wrap = (table) => table, ...options }: ServiceOptions = {}): Service {
  const changes: TableChange[] = [];
  const logged: object[] = [];
  let now = T0;
  let ids = 0;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const newId = () => `id-${(ids += 1)}`;
  const log = (entry: object) => void logged.push(entry);
  const table = createMemoryTable({ onChange: (change) => void changes.push(change) });
  const store = createStore({ table: wrap(table), newId });
  const settings = DEFAULT_SETTINGS;
  const api = createApi({ store, clock, newId, log, settings, opened, pageTokenKey: KEY, ...options });
  const executionApi = createExecutionApi({ store, clock, log });

  async function task(id: string): Promise<Task> {
    const found = await store.task(id);
    if (found === undefined) throw new Error(`no task ${id}`);
    return found;
  }

  return {
    store,
    table,
    changes,
    logged,
    at: (seconds) => {
      now = T0 + seconds * 1000;
    },
    call: (method, path, body, options) =>
      send(path.startsWith('/execution') ? executionApi : api, method, path, body, options),
    async submit(body) {
      const reply = await send(api, 'POST', '/v1/tasks', { sensor: SENSOR, ...body });
      if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
      return task(reply.body.id);
    },
    task,
    async move(id, event) {
      const seen = await task(id);
      const outcome = transition(seen, event, { now, by: 'service' });
      if (outcome.kind !== 'moved') throw new Error(`${id} does not move: ${outcome.why}`);
      const answer = await store.move(seen, outcome.task);
      if (!answer.moved) throw new Error(`${id} was not written`);
    },
  };
}

/** Calls an API as API Gateway does: finds the route, hands the path's parameters on as they were sent. */
async function send(
  api: Api,
  method: string,
  path: string,
  body?: unknown,
  { headers = {}, text, base64 = false, userArn = 'arn:aws:iam::1:user/ann', handedOn }: CallOptions = {},
): Promise<Reply> {
  const url = new URL(path, 'https://api.test');
  const { resource, pathParameters } = handedOn ?? route(url.pathname);
  const query = Object.fromEntries([...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)]));
  const result = await api({
    httpMethod: method,
    resource,
    pathParameters,
    multiValueQueryStringParameters: Object.keys(query).length === 0 ? null : query,
    headers,
    body: text ?? (body === undefined ? null : JSON.stringify(body)),
    isBase64Encoded: base64,
    requestContext: { identity: { userArn, caller: null } },
  });
  const parsed = (result.body === '' ? undefined : JSON.parse(result.body)) as Body;
  return { status: result.statusCode, headers: result.headers ?? {}, body: parsed };
}

function route(path: string): { readonly resource: string; readonly pathParameters: Record<string, string> | null } {
  for (const { path: resource } of [...withQueues(ROUTES), ...withQueues(EXECUTION_ROUTES)]) {
    const match = new RegExp(`^${resource.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(path);
    if (match === null) continue;
    const { groups } = match;
    return { resource, pathParameters: groups === undefined ? null : { ...groups } };
  }
  return { resource: path, pathParameters: null };
}
