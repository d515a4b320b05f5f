/** Requests as API Gateway hands them on: the route found, path parameters as they were sent, the caller named. */
import type { ApiEvent } from '../functions/api/http.ts';
import { ROUTES } from '../functions/api/routes.ts';
import type { Route } from '../functions/api/routes.ts';
import { EXECUTION_ROUTES } from '../functions/execution-api/routes.ts';

const routes: readonly Route[] = [...ROUTES, ...EXECUTION_ROUTES];
const doors = routes.map((route) => ({ route, match: matcher(route.path) }));

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

/** @returns of a path: its parameter by its name; null if the route has none; undefined if it is another route. */
function matcher(pattern: string): (path: string) => Record<string, string> | null | undefined {
  const [, before = '', name, after = ''] = /^([^{]*)(?:\{(\w+)\}(.*))?$/.exec(pattern) ?? [];
  return (path) => {
    if (name === undefined) return path === pattern ? null : undefined;
    if (!path.startsWith(before) || !path.endsWith(after)) return undefined;
    const value = path.slice(before.length, path.length - after.length);
    return value === '' || value.includes('/') ? undefined : { [name]: value };
  };
}

function queryOf(search: string): Record<string, string[]> | null {
  if (search === '') return null;
  const query: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) (query[name] ??= []).push(value);
  return query;
}
