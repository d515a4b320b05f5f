import {
  estimateAnswer,
  explainAnswer,
  listAnswer,
  queueAnswer,
  queuesAnswer,
  taskAnswer,
} from '../functions/api/schemas/answers.ts';
import type * as z from 'zod/mini';
import { read } from './answers.ts';
import type { ListQuery, SensoriumClient } from './client.ts';
import { withDefaults } from './defaults.ts';
import { createExecution } from './execution.ts';
import type { ClientOptions } from './options.ts';
import { path, placesOf } from './path.ts';
import { createSubmit } from './submit.ts';
import { createTransport } from './transport.ts';
import type { Call } from './transport.ts';
import type { Queue } from './types/queue.ts';
import { wait } from './wait.ts';

/**
 * @returns a client of one deployed Sensorium. Makes no request.
 * @throws TypeError that names a wrong `url`, a missing `region`, a `queue` that is none
 */
export function createClient(options: ClientOptions): SensoriumClient {
  const resolved = withDefaults(options);
  const transport = createTransport(resolved);
  const places = placesOf(resolved.queue);

  async function ask<Answer>(
    schema: z.ZodMiniType<Answer>,
    call: Omit<Call, 'repeatable'>,
    repeatable = true,
  ): Promise<Answer> {
    const { body } = await transport.call({ ...call, repeatable });
    return read(schema, body, `${call.method} /${call.path}`);
  }

  const list = (query: ListQuery = {}) => {
    const { limit, ...others } = query;
    const texts = limit === undefined ? others : { ...others, limit: String(limit) };
    return ask(listAnswer, { method: 'GET', path: places.tasks(), query: texts });
  };

  async function look(id: string, etag: string | undefined, signal: AbortSignal | undefined) {
    const reply = await transport.call({
      method: 'GET',
      path: places.tasks(id),
      repeatable: true,
      ...(etag === undefined ? {} : { headers: { 'if-none-match': etag } }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (reply.status === 304) return undefined;
    return { task: read(taskAnswer, reply.body, `GET /${places.tasks(id)}`), etag: reply.etag };
  }

  return {
    ...createSubmit(resolved, transport, places),
    ...createExecution(transport, places),
    get: async (id) => ask(taskAnswer, { method: 'GET', path: places.tasks(id) }),
    list,
    async *listAll(query = {}) {
      let next: string | undefined;
      do {
        const page = await list({ limit: 100, ...query, ...(next === undefined ? {} : { next }) });
        yield* page.tasks;
        next = page.next;
      } while (next !== undefined);
    },
    explain: async (id) => ask(explainAnswer, { method: 'GET', path: places.tasks(id, 'explain') }),
    clear: async (id) => ask(taskAnswer, { method: 'POST', path: places.tasks(id, 'clear'), body: {} }, false),
    mark: async (id, state) => ask(taskAnswer, { method: 'POST', path: places.tasks(id, 'mark'), body: { state } }),
    remove: async (id) => ask(taskAnswer, { method: 'DELETE', path: places.tasks(id) }),
    async queues() {
      const all: Queue[] = [];
      let next: string | undefined;
      do {
        const query = next === undefined ? {} : { next };
        const page = await ask(queuesAnswer, { method: 'GET', path: 'v1/queues', query });
        all.push(...page.queues);
        next = page.next;
      } while (next !== undefined);
      return all;
    },
    queue: async (name) => ask(queueAnswer, { method: 'GET', path: path('v1', 'queues', name) }),
    setQueue: async (name, body) => ask(queueAnswer, { method: 'PUT', path: path('v1', 'queues', name), body }),
    estimate: (body) => ask(estimateAnswer, { method: 'POST', path: 'v1/estimate', body }),
    wait: (id, waiting) => wait({ ...resolved, look }, id, waiting),
  };
}
