/** The routes' bodies, queries, answers and problems, for the OpenAPI document. */
import * as z from 'zod/mini';
import {
  batchAnswer,
  estimateAnswer,
  explainAnswer,
  listAnswer,
  openApiAnswer,
  queueAnswer,
  queuesAnswer,
  readyAnswer,
  taskAnswer,
} from '../functions/api/schemas/answers.ts';
import { emptyBody, markBody } from '../functions/api/schemas/change.ts';
import { estimateBody } from '../functions/api/schemas/estimate.ts';
import { listQuery } from '../functions/api/schemas/list.ts';
import { queuesQuery } from '../functions/api/schemas/queue.ts';
import { queueBody } from '../functions/api/schemas/queue.ts';
import { submittedTask } from '../functions/api/schemas/task.ts';
import type { ROUTES } from '../functions/api/routes.ts';
import { runAnswer, stateAnswer } from '../functions/execution-api/answers.ts';
import { heartbeatBody, runBody, stateBody } from '../functions/execution-api/bodies.ts';
import type { EXECUTION_ROUTES } from '../functions/execution-api/routes.ts';

interface Operation {
  readonly body?: z.ZodMiniType;
  /** Whether the body may be left out. */
  readonly optional?: boolean;
  readonly query?: z.ZodMiniObject;
  /** The answers beside those that every operation has, by status; a text alone: no body. */
  readonly answers: Readonly<Record<number, string | readonly [string, z.ZodMiniType]>>;
  /** The statuses of its problems beside 500 and 503; with a text, where they mean something of their own. */
  readonly problems: readonly (number | readonly [number, string])[];
}

// The list of a batch as the document shows it; the service looks at its tasks one by one, so that a bad one stops none.
export const batchOfTasks = z.strictObject({ tasks: z.array(submittedTask).check(z.minLength(1), z.maxLength(500)) });

const NO_TASK = 404;

export const OPERATIONS: Record<(typeof ROUTES | typeof EXECUTION_ROUTES)[number]['id'], Operation> = {
  submitTasks: {
    body: z.union([submittedTask, batchOfTasks]),
    answers: { 201: ['The task, or a result for each of the batch', z.union([taskAnswer, batchAnswer])] },
    problems: [400, 403, [409, 'A task with this id was submitted with another body'], 413, 422, 429],
  },
  listTasks: { query: listQuery, answers: { 200: ['A page of tasks', listAnswer] }, problems: [422] },
  getTask: {
    answers: { 200: ['The task, with its version as ETag', taskAnswer], 304: 'The client has this version' },
    problems: [400, NO_TASK],
  },
  removeTask: { answers: { 200: ['The task, removed', taskAnswer] }, problems: [400, NO_TASK] },
  explainTask: { answers: { 200: ['Why it waits and what comes next', explainAnswer] }, problems: [400, NO_TASK] },
  taskReady: {
    answers: { 200: ['The task has ended', readyAnswer] },
    problems: [400, [NO_TASK, 'It has not ended yet, or there is none with this id']],
  },
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
  listQueues: { query: queuesQuery, answers: { 200: ['A page of queues', queuesAnswer] }, problems: [422] },
  getQueue: { answers: { 200: ['The queue', queueAnswer] }, problems: [400, 404] },
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

export const PROBLEMS: Readonly<Record<number, string>> = {
  400: 'The body is no JSON, or a parameter of the path is not written as it must be',
  403: 'The operator has not opened the resource to sensors',
  404: 'There is none',
  409: 'Somebody else has it, or its state does not allow it',
  410: 'The try is over',
  413: 'The body is too long',
  422: 'A field is wrong; it is named',
  429: 'The queue has as many active tasks as it takes',
  500: 'A defect of the service',
  503: 'The service is busy; repeating the request is safe',
};
