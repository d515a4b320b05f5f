/** Requests as API Gateway hands them on: the route found, path parameters as they were sent, the caller named. */
import type { ApiEvent } from '../functions/api/http.ts';
import { ROUTES, withQueues } from '../functions/api/routes.ts';
import { EXECUTION_ROUTES } from '../functions/execution-api/routes.ts';

const doors = [...withQueues(ROUTES), ...withQueues(EXECUTION_ROUTES)].map((route) => ({
  route,
  match: matcher(route.path),
}));

/** @returns the event of a request, or undefined: there is no such route (API Gateway's own 403). */
export function apiEvent(method: string, url: string, body: unknown): ApiEvent | undefined {
  const [path = '', search = ''] = url.split('?', 2);
  for (const { route, match } of doors) {
    const pathParameters = route.method === method ? match(path) : undefined;
    if (pathParameters === undefined) continue;
    return {
      httpMethod: method,
      resource: route.path,
      pathParameters,
      multiValueQueryStringParameters: queryOf(search),
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { identity: { userArn: 'simulated', caller: null } },
    };
  }
  return undefined;
}

/** @returns of a path: its parameters by their names; null if the route has none; undefined if it is another route. */
function matcher(pattern: string): (path: string) => Record<string, string> | null | undefined {
  const whole = new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  return (path) => {
    const found = whole.exec(path);
    if (found === null) return undefined;
    return found.groups === undefined ? null : { ...found.groups };
  };
}

function queryOf(search: string): Record<string, string[]> | null {
  if (search === '') return null;
  const query: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) (query[name] ??= []).push(value);
  return query;
}
