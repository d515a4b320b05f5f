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
import { markBody } from '../functions/api/schemas/change.ts';
import { estimateBody } from '../functions/api/schemas/estimate.ts';
import { queueName, taskId, TRY_ID } from '../functions/api/schemas/fields.ts';
import { ESTIMATE_NOTES, LIST_NOTES, QUEUE_NOTES, SENSOR_NOTES, TASK_NOTES } from '../functions/api/schemas/notes.ts';
import type { Notes } from '../functions/api/schemas/notes.ts';
import { queueBody } from '../functions/api/schemas/queue.ts';
import { submittedTask } from '../functions/api/schemas/task.ts';
import { isBelowQueue, ROUTES, withQueues } from '../functions/api/routes.ts';
import { runAnswer, stateAnswer } from '../functions/execution-api/answers.ts';
import { heartbeatBody, runBody, stateBody } from '../functions/execution-api/bodies.ts';
import { EXECUTION_ROUTES } from '../functions/execution-api/routes.ts';
import { KINDS } from '../functions/sensors/list.ts';
import { sensorSchema } from '../functions/sensors/registry.ts';
import { ANSWER_NOTES } from './answer-notes.ts';
import { batchOfTasks, OPERATIONS, PROBLEMS } from './openapi-operations.ts';

export const OPENAPI_FILE = resolve(import.meta.dirname, '..', 'openapi.json');

/** The routes, and those of tasks once more below a queue. */
const SERVED = [...withQueues(ROUTES), ...withQueues(EXECUTION_ROUTES)];

/** The tag of the routes below a queue. */
export const ONE_QUEUE = 'one queue';

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
  [markBody, 'Mark'],
  [listAnswer, 'TaskPage'],
  [explainAnswer, 'Explanation'],
  [readyAnswer, 'Ready'],
  [runBody, 'RunRequest'],
  [runAnswer, 'Run'],
  [stateBody, 'StateRequest'],
  [stateAnswer, 'TryState'],
  [heartbeatBody, 'Heartbeat'],
  ...KINDS.map((kind): [z.ZodMiniType, string, string] => [kind.schema, `Sensor_${kind.type}`, kind.summary]),
];

function tagOf(path: string): string {
  if (isBelowQueue(path)) return ONE_QUEUE;
  if (path.startsWith('/execution')) return 'execution';
  if (path.startsWith('/v1/queues')) return 'queues';
  return path.startsWith('/v1') ? 'tasks' : 'service';
}

const FIELD_NOTES: readonly (readonly [unknown, Notes])[] = [
  [submittedTask, TASK_NOTES],
  [queueBody, QUEUE_NOTES],
  [estimateBody, ESTIMATE_NOTES],
  [queueAnswer, { ...ANSWER_NOTES, ...QUEUE_NOTES }],
  [estimateAnswer, { ...ANSWER_NOTES, ...ESTIMATE_NOTES }],
  ...[taskAnswer, explainAnswer, listAnswer, queuesAnswer, readyAnswer, batchAnswer, problemAnswer, openApiAnswer].map(
    withAnswerNotes,
  ),
  ...[runAnswer, stateAnswer].map(withAnswerNotes),
];

function withAnswerNotes(schema: unknown): readonly [unknown, Notes] {
  return [schema, { ...TASK_NOTES, ...ANSWER_NOTES }];
}

const json = (schema: z.ZodMiniType) => ({ 'application/json': { schema } });

function operationOf(route: (typeof SERVED)[number]): ZodOpenApiOperationObject {
  const { body, optional = false, query: asked, answers, problems } = OPERATIONS[route.of];
  const below = isBelowQueue(route.path);
  // The path says which queue is listed.
  const query = below && asked !== undefined && 'queue' in asked.shape ? z.omit(asked, { queue: true }) : asked;
  const tried = route.path.startsWith('/execution');
  const id = tried ? z.string().check(z.regex(TRY_ID)) : taskId;
  const path = {
    ...(route.path.includes('{name}') ? { name: queueName } : {}),
    ...(route.path.includes('{id}') ? { id } : {}),
  };
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, answer] of Object.entries(answers)) {
    const [description, schema] = typeof answer === 'string' ? [answer] : answer;
    responses[status as '200'] = { description, ...(schema === undefined ? {} : { content: json(schema) }) };
  }
  // Its path has a parameter, whatever the route without a queue has.
  const unread = below && !problems.includes(400) ? [400] : [];
  for (const each of [...unread, ...problems, 500, 503]) {
    const [status, description] = typeof each === 'number' ? [each, PROBLEMS[each] ?? ''] : each;
    const content = { 'application/problem+json': { schema: problemAnswer } };
    responses[String(status) as '500'] = { description, content };
  }
  return {
    operationId: route.id,
    summary: below ? `${route.summary}; of this queue alone` : route.summary,
    tags: [tagOf(route.path)],
    requestParams: {
      ...(Object.keys(path).length === 0 ? {} : { path: z.object(path) }),
      ...(query === undefined ? {} : { query }),
    },
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
  for (const route of SERVED) {
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
        {
          name: ONE_QUEUE,
          description:
            'The routes of tasks and of workers stand below each queue as well, where IAM can tell queues apart. They take and answer the same, for the tasks of that queue alone: a task of another queue is unknown there (404), what names another queue is refused (422), what names none means this one.',
        },
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
  for (const { path } of SERVED.filter(({ of }) => of === 'listTasks')) {
    for (const parameter of document.paths?.[path]?.get?.parameters ?? []) {
      const description = 'name' in parameter ? LIST_NOTES[parameter.name] : undefined;
      if (description !== undefined) Object.assign(parameter, { description });
    }
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
