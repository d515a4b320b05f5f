/** What a call rejects with. */
import type { Task } from './types/task.ts';

/** `application/problem+json` (RFC 9457), with the service's own members. */
export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly field?: string;
  readonly errors?: readonly { readonly field: string; readonly detail: string }[];
  readonly [extension: string]: unknown;
}

/** The service refused. */
export class SensoriumError extends Error {
  override readonly name = 'SensoriumError';
  /** HTTP's: 404 there is none, 409 a conflict, 422 a field is wrong, 429 and 503 too much at once. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** The field that is wrong, if it is one's: `sensor.key`. */
  readonly field: string | undefined;
  /** Of the execution API: `invalid_state`, `not_running`, `running_elsewhere`, `gone`. */
  readonly reason: string | undefined;
  /** The whole answer. */
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.status} ${problem.title}: ${problem.detail}`);
    const { status, title, detail, field, reason } = problem;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.field = field;
    this.reason = typeof reason === 'string' ? reason : undefined;
    this.problem = problem;
  }
}

/** No answer came: the network, or the time for one call. What was asked may have been done. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** An answer lacks what it should have: something else stands at the URL, or a service of another version. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
}

/** A task had not ended when the time for waiting was over; it waits on. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
  /** As it was seen last. */
  readonly task: Task;

  constructor(task: Task, seconds: number) {
    super(`the task ${task.id} has not ended within ${seconds} seconds: it is ${task.state}`);
    this.task = task;
  }
}

/** Names of statuses that API Gateway answers by itself, without a problem. */
const TITLES: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Characters of a foreign answer that an error quotes. */
const QUOTED = 500;

/** @returns the problem that an answer carries; made of what there is where it is API Gateway's own. */
export function problemOf(status: number, text: string): Problem {
  const body = json(text);
  const { title, detail, message, field } = body;
  return {
    ...body,
    status,
    title: typeof title === 'string' ? title : (TITLES[status] ?? 'Refused'),
    detail: [detail, message].find((each) => typeof each === 'string') ?? text.slice(0, QUOTED),
    ...(typeof field === 'string' ? { field } : {}),
  };
}

function json(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
