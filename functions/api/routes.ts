/** The routes of the API as data: API Gateway's resources, the dispatch table and the OpenAPI document come from here. */

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Route {
  /** The operation's id in the OpenAPI document. */
  readonly id: string;
  readonly method: HttpMethod;
  /** With path parameters in braces, as API Gateway writes them. */
  readonly path: `/${string}`;
  readonly summary: string;
}

export const ROUTES = [
  { id: 'submitTasks', method: 'POST', path: '/v1/tasks', summary: 'Submit one task, or up to 500' },
  { id: 'listTasks', method: 'GET', path: '/v1/tasks', summary: "List a queue's tasks, newest first within a state" },
  { id: 'getTask', method: 'GET', path: '/v1/tasks/{id}', summary: 'Read a task' },
  {
    id: 'removeTask',
    method: 'DELETE',
    path: '/v1/tasks/{id}',
    summary: 'Remove a task: nobody waits for it any more',
  },
  {
    id: 'explainTask',
    method: 'GET',
    path: '/v1/tasks/{id}/explain',
    summary: 'Say why a task still waits and what comes next',
  },
  {
    id: 'taskReady',
    method: 'GET',
    path: '/v1/tasks/{id}/ready',
    summary: 'Answer 404 until the task has ended, then 200 whatever the outcome',
  },
  { id: 'clearTask', method: 'POST', path: '/v1/tasks/{id}/clear', summary: 'Have a task wait again, in a new try' },
  { id: 'markTask', method: 'POST', path: '/v1/tasks/{id}/mark', summary: 'Set the state of a task by hand' },
  { id: 'listQueues', method: 'GET', path: '/v1/queues', summary: 'List the queues with their live numbers' },
  { id: 'getQueue', method: 'GET', path: '/v1/queues/{name}', summary: 'Read a queue with its live numbers' },
  {
    id: 'putQueue',
    method: 'PUT',
    path: '/v1/queues/{name}',
    summary: 'Set up a queue: workers, budgets, limits, pause',
  },
  { id: 'estimate', method: 'POST', path: '/v1/estimate', summary: 'Say what a task would cost in each mode' },
  { id: 'openApi', method: 'GET', path: '/openapi.json', summary: 'Read this document' },
] as const satisfies readonly Route[];
