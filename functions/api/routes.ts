/** The routes of the API as data: API Gateway's resources, the dispatch table, the grants and the OpenAPI document come from here. */

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

/** A queue's name. Nothing in it needs encoding in a path, and nothing in it means anything to IAM. */
export const QUEUE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** The same in words. */
export const QUEUE_NAME_RULE = 'must be 1 to 64 characters of A-Z a-z 0-9 _ . -, the first a letter or digit';

/** How the path of a route that stands below a queue begins: `/v1/queues/{name}`, `/execution/queues/{name}`. */
const BELOW_A_QUEUE = /^\/\w+\/queues\/\{name\}(?=\/)/;

/** The beginning of the paths of tasks, and of the tries of tasks. */
const OF_A_TASK = /^\/v1(?=\/tasks)|^\/execution(?=\/task-instances)/;

/** A route, and the id of the row that it comes from: of its own one where it stands in a table itself. */
export interface Derived<Id extends string> extends Omit<Route, 'id'> {
  readonly id: Id | `${Id}InQueue`;
  readonly of: Id;
}

/** @returns the routes of a table, and those of tasks once more below a queue: there IAM can tell queues apart. */
export function withQueues<Id extends string>(
  routes: readonly (Route & { readonly id: Id })[],
): readonly Derived<Id>[] {
  return routes.flatMap((route): Derived<Id>[] => {
    const own = { ...route, of: route.id };
    if (!OF_A_TASK.test(route.path)) return [own];
    const path: Route['path'] = `/${route.path.replace(OF_A_TASK, '$&/queues/{name}').slice(1)}`;
    return [own, { ...own, id: `${route.id}InQueue`, path }];
  });
}

/** @returns whether a route stands below a queue, and so reaches the tasks of that queue alone. */
export function isBelowQueue(path: string): boolean {
  return BELOW_A_QUEUE.test(path);
}
