/** A client of the two APIs over a table in memory: its fetch is API Gateway, its clock and its dice are the test's. */
import { createClient } from '../../client/index.ts';
import type { ClientOptions, SensoriumClient } from '../../client/index.ts';
import { aService } from '../api/service.ts';
import type { Service, ServiceOptions } from '../api/service.ts';

export interface Sent {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
}

/** What happens to a request in place of an answer of the service, or after it: see `lose`. */
export type Fault = (sent: Sent, serve: () => Promise<Response>) => Promise<Response>;

export interface Bench {
  readonly client: SensoriumClient;
  readonly service: Service;
  readonly sent: readonly Sent[];
  /** Pauses, in milliseconds. */
  readonly pauses: readonly number[];
  /** The next requests meet these, one each. */
  readonly faults: Fault[];
  /** Called before each pause. */
  onPause: (ms: number) => Promise<void> | void;
}

const BASE = 'https://api.test/live';

export function aBench(options: Partial<ClientOptions> & { readonly service?: ServiceOptions } = {}): Bench {
  const { service: serviceOptions, ...others } = options;
  const service = aService(serviceOptions);
  const sent: Sent[] = [];
  const pauses: number[] = [];
  let elapsed = 0;
  let ids = 0;

  async function serve({ method, path, headers, text }: Sent): Promise<Response> {
    const reply = await service.call(method, path, undefined, { headers, ...(text === undefined ? {} : { text }) });
    const body = reply.body === undefined ? null : JSON.stringify(reply.body);
    return new Response(body, { status: reply.status, headers: reply.headers as Record<string, string> });
  }

  const bench: Bench = {
    service,
    sent,
    pauses,
    faults: [],
    onPause: () => undefined,
    client: createClient({
      url: BASE,
      fetch: async (url, { method = 'GET', headers, body }) => {
        const request: Sent = {
          method,
          path: url.slice(BASE.length),
          headers: Object.fromEntries(new Headers(headers)),
          text: typeof body === 'string' ? body : undefined,
        };
        sent.push(request);
        const fault = bench.faults.shift();
        return fault === undefined ? serve(request) : fault(request, () => serve(request));
      },
      clock: {
        now: () => elapsed,
        async sleep(ms, signal) {
          signal?.throwIfAborted();
          pauses.push(ms);
          elapsed += ms;
          service.at(elapsed / 1000);
          await bench.onPause(ms);
          signal?.throwIfAborted();
        },
      },
      random: () => 0.5,
      newId: () => `made-${(ids += 1)}`,
      ...others,
    }),
  };
  return bench;
}

/** The request never reaches the service. */
export const unreachable: Fault = () =>
  Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }));

/** The service does what it is asked, and its answer is lost. */
export const lostAnswer: Fault = async (_sent, serve) => {
  await serve();
  throw new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
};

/** @returns an answer in place of the service's. */
export function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Fault {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return () => Promise.resolve(new Response(status === 204 || status === 304 ? null : text, { status, headers }));
}

/** What the service itself says when the table does not keep up. */
export const busy: Fault = answer(
  503,
  { title: 'Service Unavailable', status: 503, detail: 'the service is busy; repeat the request' },
  { 'content-type': 'application/problem+json', 'retry-after': '1' },
);
