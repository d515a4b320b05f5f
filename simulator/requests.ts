/** Requests as API Gateway hands them on: the route found, path parameters decoded, the caller named. */
import type { ApiEvent } from '../functions/api/http.ts';
import { ROUTES } from '../functions/api/routes.ts';
import type { Route } from '../functions/api/routes.ts';
import { EXECUTION_ROUTES } from '../functions/execution-api/routes.ts';

const routes: readonly Route[] = [...ROUTES, ...EXECUTION_ROUTES];

/** @returns the event of a request, or undefined: there is no such route (API Gateway's own 403). */
export function apiEvent(method: string, url: string, body: unknown): ApiEvent | undefined {
  const [path = '', search = ''] = url.split('?', 2);
  for (const route of routes) {
    const id = route.method === method ? match(route.path, path) : undefined;
    if (id === undefined) continue;
    return {
      httpMethod: method,
      resource: route.path,
      pathParameters: id === '' ? null : { id: decodeURIComponent(id) },
      multiValueQueryStringParameters: queryOf(search),
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { identity: { userArn: 'simulated', caller: null } },
    };
  }
  return undefined;
}

/** @returns what stands for `{id}`; empty if the route has none; undefined if it is another route. */
function match(pattern: string, path: string): string | undefined {
  const [before = '', after = ''] = pattern.split('{id}', 2);
  if (!pattern.includes('{id}')) return path === pattern ? '' : undefined;
  if (!path.startsWith(before) || !path.endsWith(after)) return undefined;
  const id = path.slice(before.length, path.length - after.length);
  return id === '' || id.includes('/') ? undefined : id;
}

function queryOf(search: string): Record<string, string[]> | null {
  if (search === '') return null;
  const query: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(search)) (query[name] ??= []).push(value);
  return query;
}
