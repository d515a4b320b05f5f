import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type * as z from 'zod/mini';
import {
  batchAnswer,
  explainAnswer,
  listAnswer,
  openApiAnswer,
  problemAnswer,
  readyAnswer,
  taskAnswer,
} from '../../functions/api/schemas/answers.ts';
import { ROUTES, withQueues } from '../../functions/api/routes.ts';
import { runAnswer, stateAnswer } from '../../functions/execution-api/answers.ts';
import { EXECUTION_ROUTES } from '../../functions/execution-api/routes.ts';
import { KINDS } from '../../functions/sensors/list.ts';
import { LIST_NOTES, QUEUE_NOTES, SENSOR_NOTES, TASK_NOTES } from '../../functions/api/schemas/notes.ts';
import type { Notes } from '../../functions/api/schemas/notes.ts';
import { OPENAPI_FILE, openApiDocument } from '../../scripts/openapi.ts';
import pkg from '../../package.json' with { type: 'json' };
import { aService, SENSOR } from './service.ts';

interface Described {
  readonly description?: string;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Described & { readonly name: string })[];
}

interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, Described>> }>>;
  };
}

const committed = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as Document;

describe('openapi.json', () => {
  test('is what the schemas make of it (npx tsx scripts/openapi.ts)', () => {
    expect(JSON.parse(JSON.stringify(openApiDocument()))).toEqual(committed);
  });

  test('is served as it is committed, with the version of the package', async () => {
    const reply = await aService().call('GET', '/openapi.json');
    expect(reply).toMatchObject({ status: 200, headers: { 'Content-Type': 'application/json' } });
    expect(reply.body).toEqual(committed);
    expect(committed.info.version).toBe(pkg.version);
  });

  test('has every route, and no other', () => {
    const found = Object.entries(committed.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    );
    const routes = [...withQueues(ROUTES), ...withQueues(EXECUTION_ROUTES)].map(
      ({ id, method, path }) => `${id} ${method} ${path}`,
    );
    expect(found.toSorted()).toEqual(routes.toSorted());
  });

  test.each<[string, Notes]>([
    ['SubmittedTask', TASK_NOTES],
    ['QueueSettings', QUEUE_NOTES],
    ...KINDS.map(({ type }): [string, Notes] => [`Sensor_${type}`, { type: '', ...SENSOR_NOTES[type] }]),
  ])('says of every field of %s what it means', (name, notes) => {
    const { properties = {} } = committed.components.schemas[name] ?? {};
    expect(Object.keys(notes).toSorted()).toEqual(Object.keys(properties).toSorted());
    const said = Object.fromEntries(
      Object.entries(properties).map(([field, { description = '' }]) => [field, description]),
    );
    expect(said).toEqual(notes);
  });

  test('says what the parameters of a list are; below a queue the path names the queue', () => {
    const notesOf = (path: string) => {
      const parameters = committed.paths[path]?.['get']?.parameters ?? [];
      return Object.fromEntries(parameters.map(({ name, description }) => [name, description]));
    };
    expect(notesOf('/v1/tasks')).toEqual(LIST_NOTES);
    const { queue: _, ...others } = LIST_NOTES;
    expect(notesOf('/v1/queues/{name}/tasks')).toEqual({ name: undefined, ...others });
  });

  test('describes the routes below a queue with the schemas of the others', () => {
    const below = Object.entries(committed.paths).filter(([path]) => path.includes('/queues/{name}/'));
    const schemas = JSON.stringify(below.map(([, operations]) => Object.values(operations)));
    expect(below).toHaveLength(9);
    expect(schemas).not.toContain('"properties":{"');
  });
});

describe('the answers are as the document says', () => {
  const TI = '/execution/task-instances/x';
  const OWNER = { hostname: 'h', unixname: 'u', pid: 1 };
  const everything = {
    max_wait: 60,
    execution_timeout: 5,
    max_retry_delay: 1,
    dag_id: 'd',
    task_id: 't',
    run_id: 'r',
    map_index: 3,
    logical_date: '2024-01-01T00:00:00.5Z',
    tags: { a: 'b' },
    retry_exponential_backoff: 3,
  };

  /** Each is called in turn, on one service. */
  const CALLS: [string, string, unknown, z.ZodMiniType][] = [
    ['POST', '/v1/tasks', { id: 'a', sensor: SENSOR, retries: 2, ...everything }, taskAnswer],
    ['POST', '/v1/tasks', { id: 'a', sensor: SENSOR }, problemAnswer],
    ['POST', '/v1/tasks', { tasks: [{ id: 'b', sensor: SENSOR }, { id: '?' }] }, batchAnswer],
    ['POST', '/v1/tasks', { tasks: [{ id: '?' }] }, problemAnswer],
    ['GET', '/openapi.json', undefined, openApiAnswer],
    ['POST', '/v1/tasks', { retries: -1, foo: 1 }, problemAnswer],
    ['GET', '/v1/tasks/a', undefined, taskAnswer],
    ['GET', '/v1/tasks?limit=1', undefined, listAnswer],
    ['GET', '/v1/tasks/a/explain', undefined, explainAnswer],
    ['GET', '/v1/tasks/a/ready', undefined, problemAnswer],
    ['POST', '/v1/tasks/a/mark', { state: 'failed' }, taskAnswer],
    ['GET', '/v1/tasks/a/ready', undefined, readyAnswer],
    ['GET', '/v1/tasks/a/explain', undefined, explainAnswer],
    ['POST', '/v1/tasks/a/clear', undefined, taskAnswer],
    ['DELETE', '/v1/tasks/a', undefined, taskAnswer],
    ['POST', '/v1/tasks', { id: 'x', sensor: { type: 'external' }, retries: 2 }, taskAnswer],
    ['PATCH', `${TI}/run`, OWNER, runAnswer],
    ['GET', '/v1/tasks/x', undefined, taskAnswer],
    ['GET', '/v1/tasks/x/explain', undefined, explainAnswer],
    ['PATCH', `${TI}/run`, { ...OWNER, pid: 2 }, problemAnswer],
    ['PATCH', `${TI}~9/state`, { state: 'failed' }, problemAnswer],
    ['PUT', `${TI}/heartbeat`, { hostname: 'g', pid: 1 }, problemAnswer],
  ];

  test('each of them', async () => {
    const service = aService();
    for (const [method, path, body, schema] of CALLS) {
      const reply = await service.call(method, path, body);
      expect([method, path, schema.safeParse(reply.body).error?.issues]).toEqual([method, path, undefined]);
    }
    expect(await service.call('PATCH', `${TI}/state`, { state: 'failed' })).toMatchObject({ status: 204 });
    const again = await service.call('PATCH', `${TI}/state`, { state: 'failed' });
    expect(stateAnswer.safeParse(again.body).success).toBe(true);
    const explained = await service.call('GET', '/v1/tasks/x/explain');
    expect(explainAnswer.safeParse(explained.body).success).toBe(true);
    expect(explained.body.retry).toBeDefined();
  });
});
