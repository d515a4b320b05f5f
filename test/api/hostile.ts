// Requests as nobody means them, to every route of both APIs, and what has to hold all the same.
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { ROUTES, withQueues } from '../../functions/api/routes.ts';
import type { Route } from '../../functions/api/routes.ts';
import { submittedTask } from '../../functions/api/schemas/task.ts';
import { EXECUTION_ROUTES } from '../../functions/execution-api/routes.ts';
import { PREFIXES } from '../../functions/store/keys.ts';
import { isPoison } from '../../functions/store/poison.ts';
import { readQueue, readShard } from '../../functions/store/record-items.ts';
import type { Item } from '../../functions/store/table.ts';
import { readTarget } from '../../functions/store/target-item.ts';
import { readTask } from '../../functions/store/task-item.ts';
import { EVIL, IDS, NO_IDS, QUEUES, RAW } from './corpus.ts';
import { aService, SENSOR } from './service.ts';
import type { Service } from './service.ts';

const EACH: readonly Pick<Route, 'method' | 'path'>[] = [...withQueues(ROUTES), ...withQueues(EXECUTION_ROUTES)];

/** Submits more often: without tasks the other routes have little to say. */
const ALL = [
  ...EACH,
  ...Array.from({ length: 8 }, () =>
    EACH.filter(({ method, path }) => method === 'POST' && path.endsWith('/tasks')),
  ).flat(),
];

export interface Hostile {
  readonly method: string;
  readonly resource: string;
  readonly pathParameters: Readonly<Record<'id' | 'name', string>>;
  readonly query: string;
  /** The body as it is sent. */
  readonly text: string;
  readonly base64: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds that pass before it. */
  readonly wait: number;
}

const anything = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...EVIL) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...EVIL), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);

/** In one of three bodies some fields are not what they should be. */
const mangled = (fields: readonly string[]) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    fc.dictionary(fc.constantFrom(...fields, 'extra'), anything, { minKeys: 1, maxKeys: 3 }),
  );

const SENSORS: readonly object[] = [
  SENSOR,
  { type: 's3_key', bucket: 'landing', key: 'in/*.csv', wildcard_match: true },
  { type: 'emr_step', job_flow_id: 'j-1', step_id: 's-1' },
  { type: 'emr_job_flow', job_flow_id: 'j-1' },
  { type: 'datetime', at: '2030-01-01T00:00:00Z' },
  { type: 'external' },
  { type: 'external', watches: { type: 'emr_step', job_flow_id: 'j-1', step_id: 's-1' } },
];

const sensor = fc
  .tuple(
    fc.constantFrom(...SENSORS),
    mangled(['type', 'bucket', 'key', 'min_size', 'job_flow_id', 'at', 'watches', 'target_states']),
  )
  .map(([one, more]) => ({ ...one, ...more }));

const task = fc
  .tuple(
    sensor,
    fc.constantFrom('a', 'b', 'a:b', 'a=b+c@d', undefined),
    fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.constantFrom(...QUEUES)),
    fc.constantFrom('smart', 'deferrable', 'reschedule', 'poke', 'auto', undefined),
    mangled(Object.keys(submittedTask._zod.def.shape)),
  )
  .map(([one, id, queue, mode, more]) => ({ sensor: one, id, queue, mode, ...more }));

const worker = { hostname: 'h', unixname: 'u', pid: 1 };

/** A body that nearly fits the route. */
function bodyOf({ method, path }: Pick<Route, 'method' | 'path'>): fc.Arbitrary<unknown> {
  if (path.endsWith('/tasks') && method === 'POST') {
    return fc.oneof(
      task,
      fc.array(task, { maxLength: 3 }).map((tasks) => ({ tasks })),
    );
  }
  if (path === '/v1/estimate')
    return fc.tuple(task, mangled(['task', 'duplicates', 'wait'])).map(([one, more]) => ({ task: one, ...more }));
  if (path === '/v1/queues/{name}') {
    // A refinement hides the schema's fields.
    return mangled([
      'worker_concurrency',
      'min_workers',
      'max_workers',
      'cooldown_seconds',
      'budgets',
      'paused',
      'max_active_tasks',
    ]);
  }
  if (path.endsWith('/run'))
    return mangled(['state', 'hostname', 'pid', 'try_number']).map((more) => ({ ...worker, ...more }));
  if (path.endsWith('/heartbeat')) {
    return mangled(['hostname', 'pid', 'try_number']).map((more) => ({ hostname: 'h', pid: 1, ...more }));
  }
  const state = fc.constantFrom(
    'success',
    'failed',
    'skipped',
    'fail_without_retry',
    'up_for_retry',
    'up_for_reschedule',
  );
  if (path.endsWith('/state') || path.endsWith('/mark')) {
    return fc
      .tuple(state, mangled(['reason', 'try_number', 'reschedule_date', 'state']))
      .map(([name, more]) => ({ state: name, ...more }));
  }
  return fc.constantFrom(undefined, {});
}

const QUERY = ['queue', 'state', 'dag_id', 'run_id', 'limit', 'next', 'extra', '__proto__'];

const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(...QUERY),
      fc.oneof(
        fc.constantFrom('', '1', '100', '101', '-1', 'q', 'sensing', 'sensing,queued', 'e30'),
        fc.string({ unit: 'binary', maxLength: 12 }),
      ),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&'));

/** A request to any route. */
export const hostile: fc.Arbitrary<Hostile> = fc.constantFrom(...ALL).chain((route) =>
  fc
    .record({
      id: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...IDS) }, fc.constantFrom(...NO_IDS)),
      name: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('default', 'default', 'q') }, fc.constantFrom(...QUEUES)),
      query: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, query),
      text: fc.oneof(
        { weight: 20, arbitrary: bodyOf(route).map((body) => JSON.stringify(body) ?? '') },
        fc.constantFrom(...RAW),
      ),
      base64: fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, fc.constant(true)),
      headers: fc.constantFrom(
        {},
        { 'if-none-match': '"1"' },
        { 'If-None-Match': '*' },
        { 'content-type': 'text/html' },
      ),
      wait: fc.constantFrom(0, 0, 1, 400),
    })
    .map(({ id, name, query: asked, ...rest }) => ({
      method: route.method,
      // What is in the path is handed on as it stands: a URL would take `..` away.
      resource: route.path,
      pathParameters: { id, name },
      query: asked,
      ...rest,
    })),
);

/** Whose refusals are about something that the request says, and so name it. */
const OF_A_FIELD = new Set([400, 403, 413, 422]);

/** Reads of items, by how their keys begin. */
const READERS: readonly (readonly [prefix: string, read: (item: Item) => object])[] = [
  [PREFIXES.task, readTask],
  [PREFIXES.target, readTarget],
  [PREFIXES.queue, readQueue],
  [PREFIXES.shard, readShard],
];

function checkRecords({ changes }: Service, from: number): void {
  for (const { key, new: item } of changes.slice(from)) {
    const read = READERS.find(([prefix]) => key.startsWith(prefix))?.[1];
    const record = item === undefined || read === undefined ? {} : read(item);
    if (isPoison(record)) throw new Error(`${key} was written and cannot be read: ${JSON.stringify(record)}`);
  }
}

/**
 * Sends requests to one service, one after the other.
 * @throws where one is answered 5xx, throws, is logged as trouble, names no field where it should, or leaves a record that
 * cannot be read.
 */
export async function withstands(requests: readonly Hostile[]): Promise<void> {
  const service = aService();
  let seconds = 0;
  for (const { method, resource, pathParameters, query: asked, text, base64, headers, wait } of requests) {
    seconds += wait;
    service.at(seconds);
    const before = service.changes.length;
    const sent = base64 ? Buffer.from(text).toString('base64') : text;
    const handedOn = { resource, pathParameters };
    const options = { text: sent, base64, headers, handedOn };
    const { status, body } = await service.call(method, `${resource}?${asked}`, undefined, options);
    const told = `${method} ${resource} ${JSON.stringify(pathParameters)} ${asked} ${text.slice(0, 500)} -> ${status} ${JSON.stringify(body)?.slice(0, 500)}`;
    if (status >= 500 || service.logged.length > 0) throw new Error(`${told} ${JSON.stringify(service.logged)}`);
    if (OF_A_FIELD.has(status) && typeof body.field !== 'string') throw new Error(`${told}: no field is named`);
    if (status >= 400)
      expect(service.changes.slice(before).filter(({ key }) => key.startsWith(PREFIXES.task))).toEqual([]);
    checkRecords(service, before);
  }
}
