// Writes openapi.json: the OpenAPI 3.1 document of both APIs, made of the routes and of the schemas that validate.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { createDocument } from 'zod-openapi';
import pkg from '../package.json' with { type: 'json' };
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import {
  batchAnswer,
  estimateAnswer,
  explainAnswer,
  listAnswer,
  openApiAnswer,
  problemAnswer,
  queueAnswer,
  queuesAnswer,
  readyAnswer,
  taskAnswer,
} from '../functions/api/schemas/answers.ts';
import { emptyBody, markBody } from '../functions/api/schemas/change.ts';
import { estimateBody } from '../functions/api/schemas/estimate.ts';
import { queueName, taskId, TRY_ID } from '../functions/api/schemas/fields.ts';
import { listQuery } from '../functions/api/schemas/list.ts';
import { ESTIMATE_NOTES, LIST_NOTES, QUEUE_NOTES, SENSOR_NOTES, TASK_NOTES } from '../functions/api/schemas/notes.ts';
import type { Notes } from '../functions/api/schemas/notes.ts';
import { queueBody } from '../functions/api/schemas/queue.ts';
import { submittedTask } from '../functions/api/schemas/task.ts';
import { ROUTES } from '../functions/api/routes.ts';
import { runAnswer, stateAnswer } from '../functions/execution-api/answers.ts';
import { heartbeatBody, runBody, stateBody } from '../functions/execution-api/bodies.ts';
import { EXECUTION_ROUTES } from '../functions/execution-api/routes.ts';
import { KINDS } from '../functions/sensors/list.ts';
import { sensorSchema } from '../functions/sensors/registry.ts';

export const OPENAPI_FILE = resolve(import.meta.dirname, '..', 'openapi.json');

interface Operation {
  readonly body?: z.ZodMiniType;
  /** Whether the body may be left out. */
  readonly optional?: boolean;
  readonly query?: typeof listQuery;
  /** The answers beside those that every operation has, by status; a text alone: no body. */
  readonly answers: Readonly<Record<number, string | readonly [string, z.ZodMiniType]>>;
  /** The statuses of its problems beside 500 and 503. */
  readonly problems: readonly number[];
}

// The list of a batch as the document shows it; the service looks at its tasks one by one, so that a bad one stops none.
const batchOfTasks = z.strictObject({ tasks: z.array(submittedTask).check(z.minLength(1), z.maxLength(500)) });

const NO_TASK = 404;

const OPERATIONS: Record<(typeof ROUTES | typeof EXECUTION_ROUTES)[number]['id'], Operation> = {
  submitTasks: {
    body: z.union([submittedTask, batchOfTasks]),
    answers: { 201: ['The task, or a result for each of the batch', z.union([taskAnswer, batchAnswer])] },
    problems: [400, 403, 409, 413, 422, 429],
  },
  listTasks: { query: listQuery, answers: { 200: ['A page of tasks', listAnswer] }, problems: [422] },
  getTask: {
    answers: { 200: ['The task, with its version as ETag', taskAnswer], 304: 'The client has this version' },
    problems: [NO_TASK],
  },
  removeTask: { answers: { 200: ['The task, removed', taskAnswer] }, problems: [NO_TASK] },
  explainTask: { answers: { 200: ['Why it waits and what comes next', explainAnswer] }, problems: [NO_TASK] },
  taskReady: { answers: { 200: ['The task has ended', readyAnswer] }, problems: [NO_TASK] },
  clearTask: {
    body: emptyBody,
    optional: true,
    answers: { 200: ['The task, in a new try', taskAnswer] },
    problems: [400, NO_TASK, 413, 422],
  },
  markTask: {
    body: markBody,
    answers: { 200: ['The task, in that state', taskAnswer] },
    problems: [400, NO_TASK, 413, 422],
  },
  listQueues: { answers: { 200: ['The queues', queuesAnswer] }, problems: [] },
  getQueue: { answers: { 200: ['The queue', queueAnswer] }, problems: [404] },
  putQueue: {
    body: queueBody,
    optional: true,
    answers: { 200: ['The queue as it stands now', queueAnswer] },
    problems: [400, 413, 422],
  },
  estimate: {
    body: estimateBody,
    answers: { 200: ['Calls, transitions, invocations, reads, writes and dollars, by mode', estimateAnswer] },
    problems: [400, 413, 422],
  },
  openApi: { answers: { 200: ['The OpenAPI document', openApiAnswer] }, problems: [] },
  runTaskInstance: {
    body: runBody,
    answers: { 200: ['This worker runs the try', runAnswer] },
    problems: [400, NO_TASK, 409, 410, 413, 422],
  },
  updateTaskInstanceState: {
    body: stateBody,
    answers: {
      200: ['It is in that state already, or this try asked for the same before', stateAnswer],
      204: 'Done',
    },
    problems: [400, NO_TASK, 409, 410, 413, 422],
  },
  heartbeatTaskInstance: {
    body: heartbeatBody,
    answers: { 204: 'Noted' },
    problems: [400, NO_TASK, 409, 410, 413, 422],
  },
};

const PROBLEMS: Readonly<Record<number, string>> = {
  400: 'The body is no JSON',
  403: 'The operator has not opened the resource to sensors',
  404: 'There is none with this id, or it has not ended yet',
  409: 'Somebody else has it, or its state does not allow it',
  410: 'The try is over',
  413: 'The body is too long',
  422: 'A field is wrong; it is named',
  429: 'The queue has as many active tasks as it takes',
  500: 'A defect of the service',
  503: 'The service is busy; repeating the request is safe',
};

/** The components of the document, by name. */
const COMPONENTS: readonly [z.ZodMiniType, string, string?][] = [
  [submittedTask, 'SubmittedTask'],
  [batchOfTasks, 'Batch'],
  [taskAnswer, 'Task'],
  [batchAnswer, 'BatchResults'],
  [problemAnswer, 'Problem'],
  [sensorSchema, 'Sensor'],
  [queueBody, 'QueueSettings'],
  [queueAnswer, 'Queue'],
  ...KINDS.map((kind): [z.ZodMiniType, string, string] => [kind.schema, `Sensor_${kind.type}`, kind.summary]),
];

function tagOf(path: string): string {
  if (path.startsWith('/execution')) return 'execution';
  if (path.startsWith('/v1/queues')) return 'queues';
  return path.startsWith('/v1') ? 'tasks' : 'service';
}

const FIELD_NOTES: readonly (readonly [unknown, Notes])[] = [
  [submittedTask, TASK_NOTES],
  [queueBody, QUEUE_NOTES],
  [estimateBody, ESTIMATE_NOTES],
];

const json = (schema: z.ZodMiniType) => ({ 'application/json': { schema } });

function operationOf(route: (typeof ROUTES | typeof EXECUTION_ROUTES)[number]): ZodOpenApiOperationObject {
  const { body, optional = false, query, answers, problems } = OPERATIONS[route.id];
  const tried = route.path.startsWith('/execution');
  const id = tried ? z.string().check(z.regex(TRY_ID)) : taskId;
  const named = route.path.includes('{name}') ? { path: z.object({ name: queueName }) } : {};
  const path = route.path.includes('{id}') ? { path: z.object({ id }) } : named;
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, answer] of Object.entries(answers)) {
    const [description, schema] = typeof answer === 'string' ? [answer] : answer;
    responses[status as '200'] = { description, ...(schema === undefined ? {} : { content: json(schema) }) };
  }
  for (const status of [...problems, 500, 503]) {
    const content = { 'application/problem+json': { schema: problemAnswer } };
    responses[String(status) as '500'] = { description: PROBLEMS[status] ?? '', content };
  }
  return {
    operationId: route.id,
    summary: route.summary,
    tags: [tagOf(route.path)],
    requestParams: { ...path, ...(query === undefined ? {} : { query }) },
    ...(body === undefined ? {} : { requestBody: { required: !optional, content: json(body) } }),
    responses,
  };
}

/** @returns the document. */
export function openApiDocument(): object {
  for (const [schema, id, description] of COMPONENTS) {
    z.globalRegistry.add(schema, { id, ...(description === undefined ? {} : { description }) });
  }
  const paths: ZodOpenApiPathsObject = {};
  for (const route of [...ROUTES, ...EXECUTION_ROUTES]) {
    const method = route.method.toLowerCase();
    paths[route.path] = { ...paths[route.path], [method]: operationOf(route) };
  }
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Sensorium',
        version: pkg.version,
        description:
          'Submit waits, poke each condition once, finish every task exactly once. Durations are seconds, or ISO 8601 as text; instants are ISO 8601.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'tasks', description: 'What users do: submit, read, clear, mark and remove tasks.' },
        { name: 'queues', description: 'What operators do: set up queues, see how they stand, pause them.' },
        { name: 'execution', description: 'What the workers of external tasks say.' },
        { name: 'service', description: 'What the service says of itself.' },
      ],
      security: [{ iam: [] }],
      paths,
      components: {
        securitySchemes: {
          iam: {
            type: 'apiKey',
            name: 'Authorization',
            in: 'header',
            description: 'AWS Signature Version 4 of the service execute-api.',
            'x-amazon-apigateway-authtype': 'awsSigv4',
          },
        },
      },
    },
    {
      override({ zodSchema, jsonSchema: { properties = {} } }) {
        const notes = notesOf(zodSchema, properties['type']);
        for (const [name, property] of Object.entries(properties)) {
          const description = notes?.[name];
          // A copy: fields that share a schema share the object.
          if (typeof property === 'object' && description !== undefined)
            properties[name] = { ...property, description };
        }
      },
    },
  );
  for (const parameter of document.paths?.['/v1/tasks']?.get?.parameters ?? []) {
    const description = 'name' in parameter ? LIST_NOTES[parameter.name] : undefined;
    if (description !== undefined) Object.assign(parameter, { description });
  }
  return document;
}

/** Sensors are told by their type: what they parse with is not the schema that has their fields. */
function notesOf(schema: unknown, type: unknown): Notes | undefined {
  if (typeof type === 'object' && type !== null && 'const' in type) return SENSOR_NOTES[String(type.const)];
  return FIELD_NOTES.find(([described]) => described === schema)?.[1];
}

/** Writes the document, formatted as the rest of the house. */
function write(): void {
  writeFileSync(OPENAPI_FILE, JSON.stringify(openApiDocument(), null, 2));
  const { status } = spawnSync('npx', ['oxfmt', OPENAPI_FILE], { stdio: 'inherit' });
  if (status !== 0) throw new Error('openapi.json could not be formatted');
}

if (import.meta.main) write();
