/** `POST /v1/estimate`: what a task would cost in each mode. Reads nothing, writes nothing. */
import { chooseMode, estimate } from '../core/cost.ts';
import type { Wait } from '../core/cost.ts';
import { PRICES } from '../core/prices.ts';
import type { ExecutionContext, SensorSpec } from '../core/task.ts';
import { sensorCatalog } from '../sensors/registry.ts';
import { readBody } from './body.ts';
import type { Handler } from './http.ts';
import { refuse } from './problem.ts';
import { estimateBody } from './schemas/estimate.ts';
import { executionOf } from './schemas/task.ts';

/** How long a task is expected to wait when nobody says so, seconds. */
const USUAL_WAIT = 3600;

/** @returns the wait that a task is, for the cost model. */
export function waitOf(sensor: SensorSpec, exec: ExecutionContext, duplicates = 1, wait?: number): Wait {
  return {
    exec,
    duplicates,
    seconds: Math.min(wait ?? USUAL_WAIT, exec.timeout),
    // A list of keys is asked up to the first that is missing: one call, as long as it waits.
    callsAPoke: sensorCatalog.operationOf(sensor) === undefined ? 0 : 1,
    atOnce: sensorCatalog.notBeforeOf(sensor) !== undefined,
  };
}

export function createEstimate(): Handler {
  return async (request) => {
    const body = readBody(request, estimateBody);
    if (!body.ok) return refuse(body.problem);
    const { task, duplicates, wait } = body.value;
    const assumed = waitOf(task.sensor, executionOf(task), duplicates, wait);
    return {
      status: 200,
      body: {
        duplicates,
        wait: assumed.seconds,
        prices: PRICES,
        auto: chooseMode(assumed),
        modes: estimate(assumed),
      },
    };
  };
}
