/** The API: every route and its handler. */
import { createClear, createMark, createRemove } from './change.ts';
import type { ApiDeps } from './deps.ts';
import { createDispatch } from './dispatch.ts';
import type { Api } from './dispatch.ts';
import { createEstimate } from './estimate.ts';
import { createExplain } from './explain.ts';
import { createList } from './list.ts';
import { createOpenApi } from './openapi.ts';
import { createGetQueue, createListQueues, createPutQueue } from './queues.ts';
import { ROUTES } from './routes.ts';
import { createSubmit } from './submit-tasks.ts';
import { createGet, createReady } from './tasks.ts';

/** @returns the function behind API Gateway for `/v1`. */
export function createApi(deps: ApiDeps): Api {
  return createDispatch(
    ROUTES,
    {
      submitTasks: createSubmit(deps),
      listTasks: createList(deps),
      getTask: createGet(deps),
      removeTask: createRemove(deps),
      explainTask: createExplain(deps),
      taskReady: createReady(deps),
      clearTask: createClear(deps),
      markTask: createMark(deps),
      listQueues: createListQueues(deps),
      getQueue: createGetQueue(deps),
      putQueue: createPutQueue(deps),
      estimate: createEstimate(),
      openApi: createOpenApi(),
    },
    deps.log,
  );
}
