import type { Observation } from '../core/observation.ts';
import { UnreadableAnswer } from './aws-answer.ts';
import { BudgetSpent, PokeTimeout } from './sensor.ts';

/** The SDK's own list (smithy: THROTTLING_ERROR_CODES), and the short names that fakes and old services use. */
const THROTTLED = new Set([
  'BandwidthLimitExceeded',
  'EC2ThrottledException',
  'LimitExceededException',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceeded',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
]);

/** Our own credentials or clock are at fault: it says nothing of what is watched, and passes when they are renewed. */
const OWN_FAULT = new Set([
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidAccessKeyId',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'InvalidToken',
  'RequestExpired',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
  'UnrecognizedClientException',
]);

const NETWORK = new Set(['AbortError', 'NetworkingError', 'RequestTimeout', 'RequestTimeoutException', 'TimeoutError']);

/** Node's codes of sockets, name look-ups, TLS and broken HTTP. Other codes of `ERR_` are defects of the caller. */
const NETWORK_CODE =
  /^(E(?!RR_)[A-Z]+(_[A-Z]+)?|HPE_\w+|ERR_(TLS|SSL|STREAM_PREMATURE_CLOSE)\w*|CERT_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED\w*)$/;

const DENIED = new Set(['AccessDenied', 'AccessDeniedException', 'Forbidden', 'UnauthorizedOperation']);

/** What the SDK calls an error whose answer had no code: every error of a HEAD, which has no body. */
const NO_CODE = new Set(['', 'Error', 'Unknown', 'UnknownError']);

/** @returns what stands at a path in a value of unknown shape. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (Object(inner) === inner ? Reflect.get(Object(inner), name) : undefined),
    value,
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What is known of a failed call; `status` is 0 and `code` is empty where the answer had none. */
export interface Failure {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  /** Where the bucket is, if the answer says so. */
  readonly region: string;
  readonly server: boolean;
  readonly network: boolean;
}

/** Who calls, who counts throttles and who judges all ask: each error is read once. */
const failures = new WeakMap<object, Failure | 'none'>();

/** @returns what an AWS call's rejection says; undefined where it is neither an answer nor the network. */
export function failureOf(error: unknown): Failure | undefined {
  if (typeof error !== 'object' || error === null) return readFailure(error);
  const failure = failures.get(error) ?? readFailure(error) ?? 'none';
  failures.set(error, failure);
  return failure === 'none' ? undefined : failure;
}

function readFailure(error: unknown): Failure | undefined {
  const name = text(at(error, 'name'));
  const message = text(at(error, 'message'));
  const fault = text(at(error, '$fault'));
  const answered = at(error, '$metadata', 'httpStatusCode');
  const status = typeof answered === 'number' ? answered : 0;
  const network = NETWORK.has(name) || NETWORK_CODE.test(text(at(error, 'code')));
  const known = THROTTLED.has(name) || OWN_FAULT.has(name) || DENIED.has(name);
  if (status === 0 && fault === '' && !network && !known) return undefined;
  return {
    code: NO_CODE.has(name) ? '' : name,
    status,
    // The SDK adds lines of its own about how to debug an answer that it cannot read.
    message: message === 'UnknownError' ? '' : clip(message.split('\n', 1)[0] ?? ''),
    region: text(at(error, '$response', 'headers', 'x-amz-bucket-region')) || text(at(error, 'Region')),
    server: fault === 'server' || status >= 500,
    network,
  };
}

/** @returns whether AWS asks for fewer calls. A 503 without a code is S3's SlowDown in answer to a HEAD. */
export function isThrottled(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure === undefined) return false;
  return THROTTLED.has(failure.code) || failure.status === 429 || (failure.status === 503 && failure.code === '');
}

/** @returns whether AWS lets us not, by a code that says so: whoever asks is known. */
export function isDenied(error: unknown): boolean {
  return DENIED.has(failureOf(error)?.code ?? '');
}

/**
 * @returns whether AWS refuses a request and does not say why, as in every answer to a HEAD. A redirect may name the Region in
 * a header; beside another status that header explains nothing.
 */
export function isMute(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure === undefined || failure.code !== '' || isThrottled(error)) return false;
  return (
    (failure.status === 301 && failure.region === '') ||
    (failure.status >= 400 && failure.status < 500 && failure.status !== 408)
  );
}

/** What was asked, for the texts: the operation (`s3:HeadObject`) and the permission that it needs, on what. */
export interface Asked {
  readonly operation: string;
  readonly permission: string;
  /** Its answers have no body: a status without a code is all that AWS says. @default false */
  readonly bodiless?: boolean;
}

/**
 * The observation that a failed call amounts to (DESIGN 4): unknown where the answer says nothing of what is watched
 * (throttled, 5xx, network, our own credentials, too slow, no budget, unreadable), error where it is permanent.
 * @throws the error itself where AWS has no part in it: a defect of the sensor, which is poison.
 */
export function observe(error: unknown, asked: Asked): Observation {
  const { operation } = asked;
  const unknown = (why: string): Observation => ({ kind: 'unknown', reason: `${operation}: ${why}` });
  const permanent = (why: string): Observation => ({ kind: 'error', reason: `${operation}: ${why}` });
  if (error instanceof PokeTimeout || error instanceof BudgetSpent || error instanceof UnreadableAnswer) {
    return unknown(error.message === '' ? error.name : error.message);
  }
  const failure = failureOf(error);
  if (failure === undefined) throw error;
  const { code, status, message } = failure;
  const answer = [code || (status > 0 ? String(status) : 'no answer'), message].filter(Boolean).join(': ');
  if (isThrottled(error)) {
    return { kind: 'unknown', reason: `${operation}: throttled (${answer})`, throttled: true };
  }
  if (failure.network || failure.server || OWN_FAULT.has(code) || status === 408) return unknown(answer);
  // AWS names what it refuses. What does not is something between us and AWS, and decides nothing.
  if (isMute(error) && asked.bodiless !== true) return unknown(`${answer} without a code`);
  if (status === 301 || code === 'PermanentRedirect' || code === 'AuthorizationHeaderMalformed') {
    const region = failure.region === '' ? 'another Region' : `Region ${failure.region}`;
    return permanent(`${answer}; the bucket is in ${region}, not in the service's`);
  }
  if (DENIED.has(code) || status === 403) return permanent(`access denied (${answer}); it needs ${asked.permission}`);
  // An answer below 400 that the SDK could not read, or a temporary redirect, decides nothing.
  if (status > 0 && status < 400) return unknown(answer);
  return permanent(answer);
}

/** @returns a text that fits into a record: an outside's message can be a stack trace. */
export function clip(message: string, max = 1000): string {
  return message.length <= max ? message : `${message.slice(0, max - 1)}…`;
}
