/** The door: API Gateway's event in, its result out; in between, requests and answers as plain values. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { isBelowQueue } from './routes.ts';

/** What is used of API Gateway's proxy event (REST API). */
export interface ApiEvent {
  readonly httpMethod: string;
  /** The route's path with its parameters in braces. */
  readonly resource: string;
  /** As they were sent: percent-encoded (read by path.ts). */
  readonly pathParameters: Readonly<Record<string, string | undefined>> | null;
  readonly multiValueQueryStringParameters: Readonly<Record<string, readonly string[] | undefined>> | null;
  readonly headers: Readonly<Record<string, string | undefined>> | null;
  readonly body: string | null;
  readonly isBase64Encoded: boolean;
  readonly requestContext: {
    readonly identity: { readonly userArn: string | null; readonly caller: string | null };
  };
}

/** The path's parameters, decoded. */
export interface PathParameters {
  /** `{id}`; empty where the route has none. */
  readonly id: string;
  /** `{name}`, likewise. */
  readonly name: string;
}

export interface Request extends PathParameters {
  /** The queue that the request is held to: the path's `{name}` where the route stands below a queue. */
  readonly queue?: string;
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
  /** @returns a header, whatever the case of its name. */
  readonly header: (name: string) => string | undefined;
  /** The body as text; empty if there is none. */
  readonly text: string;
  /** Who asks, as history names them: `user:<ARN>`. */
  readonly by: string;
}

export interface Answer {
  readonly status: number;
  /** Becomes JSON. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (request: Request) => Promise<Answer>;

/** @returns the request that an event carries; `path` are its path's parameters, decoded. */
export function requestOf(event: ApiEvent, path: PathParameters): Request {
  const { userArn, caller } = event.requestContext.identity;
  const headers = Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  const byName = new Map(headers);
  const body = event.body ?? '';
  return {
    ...path,
    ...(isBelowQueue(event.resource) ? { queue: path.name } : {}),
    query: event.multiValueQueryStringParameters ?? {},
    header: (name) => byName.get(name.toLowerCase()),
    text: event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
    by: `user:${userArn ?? caller ?? 'unknown'}`,
  };
}

/** @returns API Gateway's result for an answer. */
export function resultOf({ status, body, headers = {} }: Answer): APIGatewayProxyResult {
  if (body === undefined) return { statusCode: status, headers, body: '' };
  return {
    statusCode: status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
