/** One request and its answer: signed, bounded in time, tried again where that is safe. */
import type { Resolved } from './defaults.ts';
import { NoAnswerError, problemOf, SensoriumError, UnreadableAnswerError } from './errors.ts';
import { repeat, retryAfterMs } from './retry.ts';
import type { Attempt } from './retry.ts';
import { createSigner, regionOf } from './signing.ts';
import type { Sign } from './signing.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the stage on, as `path` writes it. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent twice it does what it does once. What is not is repeated only where the service itself did nothing. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly etag: string | undefined;
  /** The JSON; undefined if there is none. */
  readonly body: unknown;
}

export interface Transport {
  /** @returns the answer, 2xx or 304. @throws SensoriumError, NoAnswerError, UnreadableAnswerError, or the signal's reason */
  call(call: Call): Promise<Reply>;
  /** As `call`, once: what is worth another try is told and not thrown. */
  once(call: Call): Promise<Attempt<Reply>>;
}

/** Of a request that may have been done: a gateway that lost its answer. */
const LOST = new Set([502, 504]);

export function createTransport(options: Resolved): Transport {
  const { clock, callTimeoutSeconds } = options;
  if (!URL.canParse(options.url)) throw new TypeError(`url must be the API's URL with its stage, not "${options.url}"`);
  const base = options.url.endsWith('/') ? options.url : `${options.url}/`;
  const sign = signerOf(options);

  /** Signs anew for each try: signatures and credentials are of the moment. */
  async function prepare({ method, path: to, query, body, headers = {} }: Call) {
    const url = new URL(`${base}${to}${queryText(query)}`);
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const plain = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
    const signed = await sign({ method, url, headers: plain, ...text }, clock.now());
    return { url: url.href, init: { method, headers: signed, ...text } };
  }

  async function once(call: Call): Promise<Attempt<Reply>> {
    const { signal } = call;
    signal?.throwIfAborted();
    const what = `${call.method} /${call.path}`;
    const { url, init } = await prepare(call);
    const patience = AbortSignal.timeout(Math.ceil(callTimeoutSeconds * 1000));
    const ends = signal === undefined ? patience : AbortSignal.any([signal, patience]);
    let response: Response;
    let text: string;
    try {
      response = await options.fetch(url, { ...init, signal: ends });
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      const failed = new NoAnswerError(`${what} has no answer: ${causeOf(error)}`, { cause: error });
      if (call.repeatable) return { done: false, error: failed };
      throw failed;
    }
    const { status } = response;
    if (response.ok || status === 304) {
      const etag = response.headers.get('etag') ?? undefined;
      return { done: true, value: { status, etag, body: text === '' ? undefined : parse(text, what) } };
    }
    const error = new SensoriumError(problemOf(status, text));
    if (!isWorthAnother(response, call.repeatable)) throw error;
    const afterMs = retryAfterMs(response.headers.get('retry-after'), clock.now());
    return { done: false, error, ...(afterMs === undefined ? {} : { afterMs }) };
  }

  return { once, call: (call) => repeat(options, () => once(call), call.signal) };
}

function signerOf({ url, region, credentials }: Resolved): Sign {
  if (credentials === undefined) return async ({ headers }) => ({ ...headers });
  const home = region ?? regionOf(url);
  if (home === undefined) throw new TypeError('region is required: the URL does not name it');
  return createSigner({ credentials, region: home, service: 'execute-api' });
}

/** Throttled, nothing was begun. Busy, the service says so itself; a gateway's own 503 may have lost an answer. */
function isWorthAnother({ status, headers }: Response, repeatable: boolean): boolean {
  if (status === 429) return true;
  if (status === 503) return repeatable || headers.get('content-type')?.includes('problem+json') === true;
  return repeatable && LOST.has(status);
}

/** As signatures write it: what URLSearchParams leaves or writes as `+` would be signed otherwise. */
function queryText(query: Call['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (value === undefined ? [] : [value].flat()).map((each) => `${name}=${strictly(each)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function strictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableAnswerError(`${what} was answered with what is no JSON: ${text.slice(0, 200)}`, {
      cause: error,
    });
  }
}

/** `fetch failed` says nothing; its cause does. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
