/** The routes of the execution API as data. `{id}` is the id of a try (`<task id>~<n>`) or of a task. */
import type { Route } from '../api/routes.ts';

export const EXECUTION_ROUTES = [
  {
    id: 'runTaskInstance',
    method: 'PATCH',
    path: '/execution/task-instances/{id}/run',
    summary: 'Start the try: this worker runs it from now on',
  },
  {
    id: 'updateTaskInstanceState',
    method: 'PATCH',
    path: '/execution/task-instances/{id}/state',
    summary: 'Say how the try ended; the server decides what becomes of the task',
  },
  {
    id: 'heartbeatTaskInstance',
    method: 'PUT',
    path: '/execution/task-instances/{id}/heartbeat',
    summary: 'Say that the worker is alive',
  },
] as const satisfies readonly Route[];
