/** The execution API: every route and its handler. */
import { createDispatch } from '../api/dispatch.ts';
import type { Api } from '../api/dispatch.ts';
import type { ExecutionDeps } from './deps.ts';
import { createHeartbeat } from './heartbeat.ts';
import { EXECUTION_ROUTES } from './routes.ts';
import { createRun } from './run.ts';
import { createState } from './state.ts';

/** @returns the function behind API Gateway for `/execution`. */
export function createExecutionApi(deps: ExecutionDeps): Api {
  return createDispatch(
    EXECUTION_ROUTES,
    {
      runTaskInstance: createRun(deps),
      updateTaskInstanceState: createState(deps),
      heartbeatTaskInstance: createHeartbeat(deps),
    },
    deps.log,
  );
}
