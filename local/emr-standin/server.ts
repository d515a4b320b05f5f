import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Clusters } from './cluster.ts';
import { EmrFault, malformed } from './fault.ts';
import { type Count, Gate } from './gate.ts';
import { read } from './inputs.ts';
import { type Account, perform } from './operations.ts';
import { applyToAccount, Script } from './script.ts';
import { DEFAULT_PLAN, type StepPlan } from './step.ts';
import type { Limit } from './token-bucket.ts';

const TARGET = /^ElasticMapReduce\.(\w+)$/;
const MAX_BODY_BYTES = 5_000_000;

export interface StandInOptions {
  /** 0 (the default) for any that is free. */
  readonly port?: number;
  /** Epoch ms; the time by which steps live and limits refill. */
  readonly now: () => number;
  /** Rate limits by operation; none by default. AWS's own are `AWS_LIMITS`. */
  readonly limits?: Readonly<Record<string, Limit>>;
  /** What happens to a step that does not say it itself (see `planFromArgs`). */
  readonly defaultPlan?: StepPlan;
}

export interface StandIn {
  /** What `AWS_ENDPOINT_URL_EMR` is set to. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * A server of the EMR JSON 1.1 protocol on the loopback interface, whose steps take time, fail and are throttled on
 * demand. Beside the API: `GET /_standin/stats` (calls by operation) and `POST /_standin/script` (see `Script`).
 */
export async function startEmrStandIn(options: StandInOptions): Promise<StandIn> {
  const { port = 0, now, limits = {}, defaultPlan = DEFAULT_PLAN } = options;
  const account: Account = { clusters: new Clusters(), defaultPlan };
  const gate = new Gate(limits, now());
  const server = createServer((request, response) => {
    answer(request, account, gate, now()).then(
      (body) => send(response, 200, body),
      (error: unknown) => {
        const fault = error instanceof EmrFault ? error : new EmrFault('InternalServerException', String(error), 500);
        send(response, fault.status, fault.body());
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @throws EmrFault with what the client is told. */
async function answer(request: IncomingMessage, account: Account, gate: Gate, now: number): Promise<object> {
  const route = `${request.method} ${request.url}`;
  if (route === 'GET /_standin/stats') return { calls: gate.counts() satisfies Record<string, Count> };
  const body = await readJson(request);
  if (route === 'POST /_standin/script') {
    const script = read(Script, body);
    applyToAccount(script, account, now);
    gate.script(script, now);
    return {};
  }
  const target = request.headers['x-amz-target'];
  const operation = TARGET.exec(typeof target === 'string' ? target : '')?.[1];
  if (operation === undefined)
    throw new EmrFault('UnknownOperationException', `${route} is no call of the EMR API`, 404);
  return gate.pass(operation, now, () => perform(account, operation, body, now));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw malformed('The body is too long');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString() || '{}') as unknown;
  } catch (error) {
    throw new EmrFault('SerializationException', error instanceof Error ? error.message : String(error));
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() });
  response.end(JSON.stringify(body));
}
