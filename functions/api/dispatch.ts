/** From a route to its handler, and from whatever goes wrong to a problem. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Log } from '../ports.ts';
import { PoisonError } from '../store/poison.ts';
import { TableError } from '../store/table.ts';
import { requestOf, resultOf } from './http.ts';
import type { Answer, ApiEvent, Handler } from './http.ts';
import { readPath } from './path.ts';
import { busy, notFound, problem, refuse } from './problem.ts';
import { withQueues } from './routes.ts';
import type { Route } from './routes.ts';

export type Api = (event: ApiEvent) => Promise<APIGatewayProxyResult>;

/**
 * @param table what is served; the routes of tasks below a queue, too, by the same handlers
 * @param handlers one for each route, by its id
 * @returns the function behind API Gateway. It never rejects: a table that does not answer is 503, a defect is 500,
 * without a word of the inside, and one line in the log.
 */
export function createDispatch<Id extends string>(
  table: readonly (Route & { readonly id: Id })[],
  handlers: Readonly<Record<Id, Handler>>,
  log: Log,
): Api {
  const routes = withQueues(table);
  const byRoute = new Map(routes.map(({ method, path, of }) => [`${method} ${path}`, handlers[of]]));
  const answerTo = async (event: ApiEvent): Promise<Answer> => {
    const handler = byRoute.get(`${event.httpMethod} ${event.resource}`);
    if (handler !== undefined) {
      const path = readPath(event.pathParameters);
      return path.ok ? handler(requestOf(event, path.value)) : refuse(path.problem);
    }
    const allowed = routes.filter(({ path }) => path === event.resource).map(({ method }) => method);
    if (allowed.length === 0) return notFound('there is no such route');
    return refuse(problem(405, `the route takes ${allowed.join(', ')}`), { Allow: allowed.join(', ') });
  };
  return async (event) => {
    try {
      return resultOf(await answerTo(event));
    } catch (error) {
      return resultOf(failure(error, event, log));
    }
  };
}

function failure(error: unknown, event: ApiEvent, log: Log): Answer {
  const route = `${event.httpMethod} ${event.resource}`;
  if (error instanceof TableError) {
    log({ message: 'table did not answer', route, error: error.message, throttled: error.throttled });
    return busy();
  }
  if (error instanceof PoisonError) {
    log({ message: 'unreadable record', route, ...error.poison });
    return refuse(problem(500, 'a record that this request needs cannot be read; what is wrong with it is in the log'));
  }
  log({
    message: 'request failed',
    route,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return refuse(problem(500, 'the service failed at this request'));
}
