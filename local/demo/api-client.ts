import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { createSignedFetch, type SigningOptions } from '../signed-fetch.ts';

const instant = z.iso.datetime().transform((text) => Date.parse(text));
const task = z.object({
  id: z.string(),
  state: z.string(),
  try_number: z.number(),
  reason: z.string().optional(),
  deadline: instant,
  history: z.array(z.object({ at: instant, to: z.string() })),
});
const page = z.object({ tasks: z.array(task), next: z.string().optional() });
const batch = z.object({ results: z.array(z.object({ id: z.string(), status: z.number() })) });

const PAGE = 100;
const ATTEMPTS = 5;
const CALL_MS = 30_000;

export type ApiTask = z.output<typeof task>;

/** The service's API as the demo uses it. Each call throws an Error that names the request and quotes the answer. */
export interface ApiClient {
  /** Submits up to 500 tasks; throws if one of them was refused. */
  submit(bodies: readonly object[]): Promise<void>;
  task(id: string): Promise<ApiTask>;
  /** @returns a queue's tasks, all of them or those in one state, up to a limit. */
  list(queue: string, state?: string, limit?: number): Promise<readonly ApiTask[]>;
  /** Calls the execution API: `run` or `state`. */
  execution(id: string, what: 'run' | 'state', body: object): Promise<void>;
}

export interface ApiClientOptions extends Omit<SigningOptions, 'service'> {
  /** With a slash at its end. */
  readonly url: string;
  readonly signal: AbortSignal;
}

export function createApiClient(options: ApiClientOptions): ApiClient {
  const { url, signal } = options;
  const signedFetch = createSignedFetch({ ...options, service: 'execute-api' });

  /** Tries again while the service is busy: all that the demo asks for may be repeated. */
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await signedFetch({
        method,
        url: `${url}${path}`,
        ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
      });
      const text = await response.text();
      if (response.ok) return text === '' ? undefined : JSON.parse(text);
      const isBusy = response.status === 429 || response.status >= 500;
      if (!isBusy || attempt === ATTEMPTS) {
        throw new Error(`${method} ${url}${path} was answered ${response.status}: ${text.slice(0, 500)}`);
      }
      await sleep(attempt * 500, undefined, { signal });
    }
  }

  return {
    async submit(bodies) {
      const { results } = batch.parse(await call('POST', 'v1/tasks', { tasks: bodies }));
      const refused = results.find(({ status }) => status !== 201);
      if (refused !== undefined) throw new Error(`the task ${refused.id} was refused with ${refused.status}`);
    },
    task: async (id) => task.parse(await call('GET', `v1/tasks/${encodeURIComponent(id)}`)),
    async list(queue, state, limit = Number.POSITIVE_INFINITY) {
      const tasks: ApiTask[] = [];
      let next: string | undefined;
      do {
        const query = new URLSearchParams({
          queue,
          limit: String(Math.min(PAGE, limit)),
          ...(state !== undefined && { state }),
          ...(next !== undefined && { next }),
        });
        const answer = page.parse(await call('GET', `v1/tasks?${query.toString()}`));
        tasks.push(...answer.tasks);
        next = answer.next;
      } while (next !== undefined && tasks.length < limit);
      return tasks;
    },
    async execution(id, what, body) {
      await call('PATCH', `execution/task-instances/${encodeURIComponent(id)}/${what}`, body);
    },
  };
}
