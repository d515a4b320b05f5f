/** Refusals: `application/problem+json` (RFC 9457) that names the field. */
import type { Fault } from '../validation.ts';
import type { Answer } from './http.ts';

const TITLES = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

export type ProblemStatus = keyof typeof TITLES;

export interface Problem {
  readonly title: string;
  readonly status: ProblemStatus;
  readonly detail: string;
  /** Where it is, if it is one field's: `sensor.key`, `tasks[3].id`. */
  readonly field?: string;
  /** All that is wrong, where there is more than the first. */
  readonly errors?: readonly Fault[];
  /** Members of a problem's own, as RFC 9457 allows (`reason`, `previous_state`, `results`). */
  readonly [extension: string]: unknown;
}

/** @returns a problem; `more` are members of its own and, where it is about one, its `field`. */
export function problem(status: ProblemStatus, detail: string, more: Readonly<Record<string, unknown>> = {}): Problem {
  return { title: TITLES[status], status, detail, ...more };
}

/** @returns the 422 that names what a schema refused. */
export function invalid([first, ...others]: readonly [Fault, ...Fault[]]): Problem {
  const { field, detail } = first;
  return problem(422, `${field} ${detail}`, { field, ...(others.length > 0 ? { errors: [first, ...others] } : {}) });
}

/** How long a client waits before it repeats, seconds. */
const RETRY_AFTER = '1';

/** @returns the answer that carries a problem. */
export function refuse(body: Problem, headers: Readonly<Record<string, string>> = {}): Answer {
  const wait = body.status === 503 || body.status === 429 ? { 'Retry-After': RETRY_AFTER } : {};
  return { status: body.status, body, headers: { 'Content-Type': 'application/problem+json', ...wait, ...headers } };
}

/** @returns the answer to whatever names nothing. */
export function notFound(detail: string): Answer {
  return refuse(problem(404, detail));
}

/** The table does not keep up: whoever repeats loses nothing. */
export const BUSY: Problem = problem(503, 'the service is busy; repeat the request');

export function busy(): Answer {
  return refuse(BUSY);
}
