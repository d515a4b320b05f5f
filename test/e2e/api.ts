import * as z from 'zod';
import { listAnswer, taskAnswer } from '../../functions/api/schemas/answers.ts';
import { IDENTITY } from '../../local/identity.ts';
import { createSignedFetch } from '../../local/signed-fetch.ts';

/** For ids: characters that paths, queries and signatures write in different ways. */
export const ODD = '.b:c=d+e@f_g-h';

const CALL_MS = 40_000;

export type Task = z.output<typeof taskAnswer>;

/** An answer as it came over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON; undefined where it is none. */
  readonly body: unknown;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as it is sent, in place of a JSON one. */
  readonly text?: string;
  /** False: without a signature. */
  readonly signed?: boolean;
}

/** The deployed API. Nothing is tried again: what is answered is what is tested. */
export interface Api {
  call(method: string, path: string, body?: unknown, sent?: Sent): Promise<Reply>;
  /** Submits one task. @throws Error unless it is taken. */
  submit(body: object): Promise<Task>;
  /** Submits up to 500. @throws Error unless all are taken. */
  submitAll(bodies: readonly object[]): Promise<readonly Task[]>;
  /** @throws Error unless there is this task. */
  task(id: string): Promise<Task>;
  /** @returns up to 100 tasks of a queue. */
  tasks(queue: string): Promise<readonly Task[]>;
}

const results = z.object({ results: z.array(z.object({ task: taskAnswer })) });

/** @param url with a slash at its end */
export function createApi(url: string): Api {
  const signedFetch = createSignedFetch({ ...IDENTITY, service: 'execute-api' });

  async function call(method: string, path: string, body?: unknown, sent: Sent = {}): Promise<Reply> {
    const text = sent.text ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = {
      method,
      headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...sent.headers },
      ...(text === undefined ? {} : { body: text }),
      signal: AbortSignal.timeout(CALL_MS),
    };
    const target = `${url}${path.replace(/^\//, '')}`;
    const response = await (sent.signed === false ? fetch(target, request) : signedFetch({ ...request, url: target }));
    const answer = await response.text();
    return { status: response.status, headers: response.headers, text: answer, body: json(answer) };
  }

  async function expected(status: number, method: string, path: string, body?: unknown): Promise<unknown> {
    const reply = await call(method, path, body);
    if (reply.status === status) return reply.body;
    throw new Error(`${method} ${path} was answered ${reply.status}: ${reply.text.slice(0, 2_000)}`);
  }

  return {
    call,
    submit: async (body) => taskAnswer.parse(await expected(201, 'POST', '/v1/tasks', body)),
    async submitAll(bodies) {
      const answer = results.parse(await expected(201, 'POST', '/v1/tasks', { tasks: bodies }));
      return answer.results.map(({ task }) => task);
    },
    task: async (id) => taskAnswer.parse(await expected(200, 'GET', `/v1/tasks/${encodeURIComponent(id)}`)),
    async tasks(queue) {
      return listAnswer.parse(await expected(200, 'GET', `/v1/tasks?queue=${queue}&limit=100`)).tasks;
    },
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
