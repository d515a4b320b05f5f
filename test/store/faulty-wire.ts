/**
 * A wire between the real client and the table that drops answers, throttles, delays and delivers twice, in turn. What holds
 * for the store without it must hold with it: the client's own retries are part of what is tested.
 */
import { Readable } from 'node:stream';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

type Handler = DynamoDBClient['config']['requestHandler'];
type Handle = Handler['handle'];

export type Fault = 'drop' | 'throttle' | 'twice' | 'delay';

export interface FaultyWire {
  /** How often each fault was met. */
  readonly met: Readonly<Record<Fault, number>>;
}

/** Every twelfth request meets a fault: a client that meets more gives up retrying altogether (its retry quota). */
const EVERY = 12;
const TURN: readonly Fault[] = ['drop', 'twice', 'delay', 'drop', 'twice', 'delay', 'drop', 'throttle'];

/** Puts faults between a client and its table, from now on. */
export async function makeFaulty(client: DynamoDBClient): Promise<FaultyWire> {
  await withoutPauses(client);
  const met = { drop: 0, throttle: 0, twice: 0, delay: 0 };
  const handler = client.config.requestHandler;
  const send: Handle = handler.handle.bind(handler);
  let requests = 0;
  let faults = 0;

  handler.handle = async (request, options) => {
    requests += 1;
    const fault = requests % EVERY === 0 ? TURN[faults++ % TURN.length] : undefined;
    if (fault === undefined) return send(request, options);
    met[fault] += 1;
    switch (fault) {
      case 'throttle':
        return throttled();
      case 'drop':
        // Applied; nobody hears of it.
        await drain(await send(request, options));
        throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
      case 'twice':
        await drain(await send(request, options));
        return send(request, options);
      case 'delay': {
        // Out of the order in which it was asked: after whatever else is under way.
        const answer = await send(request, options);
        await new Promise(setImmediate);
        return answer;
      }
    }
  };
  return { met };
}

/** The client's retries are tested; the pauses between them, two thirds of the time, are not. */
async function withoutPauses({ config }: DynamoDBClient): Promise<void> {
  const { retryBackoffStrategy: pauses } = (await config.retryStrategy()) as Paused;
  if (pauses === undefined) throw new Error('the SDK has its pauses elsewhere now');
  pauses.computeNextBackoffDelay = () => 0;
}

/** Where the SDK's own strategy has its pauses. */
interface Paused {
  readonly retryBackoffStrategy?: { computeNextBackoffDelay: () => number };
}

type Sent = Awaited<ReturnType<Handle>>;

async function drain({ response }: Sent): Promise<void> {
  if (response.body instanceof Readable) for await (const _ of response.body);
}

/** The answer of a table that is asked for too much: nothing was done. */
function throttled(): Sent {
  const type = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException';
  const body = Readable.from([JSON.stringify({ __type: type, message: 'slow down' })]);
  return { response: { statusCode: 400, headers: { 'content-type': 'application/x-amz-json-1.0' }, body } } as Sent;
}
