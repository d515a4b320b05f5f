/** Goes through what a request needs, one thing after another: what is there, what is wrong, what to do. */
import { adviceOn, advise, NO_CREDENTIALS } from './advice.ts';
import { accountConcurrency, judgeConcurrency } from './concurrency.ts';
import { findRegion, givenUrl, NO_REGION, stackOf, urlOf } from './connect.ts';
import type { Credentials, Io } from './io.ts';
import type { CommonOptions } from './options.ts';
import { reachable, stackOutputs } from './stack.ts';
import { counted, duration } from './words.ts';

export interface Finding {
  readonly check: 'credentials' | 'region' | 'stack' | 'endpoint' | 'clock' | 'permission' | 'concurrency';
  readonly state: 'ok' | 'failed' | 'skipped';
  /** What was found, or what to do. */
  readonly detail: string;
}

/** AWS refuses what is signed five minutes off. */
const MAX_SKEW_MS = 300_000;
const CALL_MS = 15_000;

export async function* examine(options: CommonOptions, io: Io): AsyncGenerator<Finding> {
  const credentials = await attempt(() => io.credentials(options.profile));
  yield credentialsFinding(credentials, io);

  const region = await findRegion(options, io);
  yield region === undefined ? failed('region', NO_REGION) : ok('region', region);

  const found = await findUrl(options, io, region, credentials);
  yield found.finding;
  const { url } = found;
  if (url === undefined) {
    yield* (['endpoint', 'clock', 'permission', 'concurrency'] as const).map((check) =>
      skipped(check, 'the address of the API is not known'),
    );
    return;
  }

  const reached = await attempt(() => io.fetch(new URL('v1/queues', slashed(url)).href, { signal: patience(io) }));
  if (!reached.ok) {
    yield failed(
      'endpoint',
      `${url} does not answer (${causeOf(reached.error)}): look at the network, a proxy, --url and --region.`,
    );
    yield skipped('clock', 'nothing answered');
    yield skipped('permission', 'nothing answered');
    yield await concurrencyFinding(found.outputs, region, credentials, io);
    return;
  }
  yield ok('endpoint', `${url} answers`);
  yield clockFinding(reached.value.headers.get('date'), io.now());
  yield await permissionFinding(url, region, credentials, io);
  yield await concurrencyFinding(found.outputs, region, credentials, io);
}

type Tried<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown };

async function attempt<Value>(make: () => Promise<Value>): Promise<Tried<Value>> {
  try {
    return { ok: true, value: await make() };
  } catch (error) {
    return { ok: false, error };
  }
}

type Check = Finding['check'];
const ok = (check: Check, detail: string): Finding => ({ check, state: 'ok', detail });
const failed = (check: Check, detail: string): Finding => ({ check, state: 'failed', detail });
const skipped = (check: Check, detail: string): Finding => ({ check, state: 'skipped', detail });

function patience({ signal }: Io): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
}

const slashed = (url: string): string => (url.endsWith('/') ? url : `${url}/`);

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}

function credentialsFinding(found: Tried<Credentials>, { now }: Io): Finding {
  if (!found.ok) {
    const { text } = advise(found.error);
    return failed(
      'credentials',
      text.startsWith('There are no') ? text : `${NO_CREDENTIALS} (${causeOf(found.error)})`,
    );
  }
  const { accessKeyId, sessionToken, expiration } = found.value;
  // Keys are told by their ends alone.
  const key = `access key ...${accessKeyId.slice(-4)}${sessionToken === undefined ? '' : ', temporary'}`;
  if (expiration === undefined) return ok('credentials', key);
  const leftMs = expiration.getTime() - now();
  if (leftMs > 0) return ok('credentials', `${key}, for another ${duration(leftMs)}`);
  return failed(
    'credentials',
    `${key}: they expired ${duration(-leftMs)} ago. Sign in again (aws sso login, or fresh keys).`,
  );
}

interface Found {
  readonly finding: Finding;
  readonly url?: string;
  /** The stack's, where it was looked at. */
  readonly outputs?: Readonly<Record<string, string>>;
}

async function findUrl(
  options: CommonOptions,
  io: Io,
  region: string | undefined,
  credentials: Tried<Credentials>,
): Promise<Found> {
  const stack = stackOf(options);
  const given = await attempt(async () => givenUrl(options, io.env));
  if (!given.ok) return { finding: failed('stack', advise(given.error).text) };
  if (given.value !== undefined)
    return { finding: ok('stack', 'not looked at: the address is given'), url: given.value };
  if (region === undefined || !credentials.ok) {
    return {
      finding: skipped('stack', 'its outputs cannot be read without credentials and a Region; --url does without'),
    };
  }
  const look = { stack, region, credentials: async () => credentials.value };
  const read = await attempt(async () => {
    const outputs = await stackOutputs(io, look);
    return { outputs, url: reachable(urlOf(outputs, stack, region), io.env) };
  });
  if (!read.ok) return { finding: failed('stack', advise(read.error).text) };
  const { url, outputs = {} } = read.value;
  return { finding: ok('stack', `${stack} in ${region} has an API`), url, outputs };
}

/** Compares what the service may take with what the account has. */
async function concurrencyFinding(
  outputs: Found['outputs'],
  region: string | undefined,
  credentials: Tried<Credentials>,
  io: Io,
): Promise<Finding> {
  const cap = Number(outputs?.['MaxConcurrency']);
  if (outputs === undefined) return skipped('concurrency', 'the stack is not looked at: the address is given');
  if (region === undefined || !credentials.ok || !(cap > 0)) {
    return skipped('concurrency', 'the stack has no output MaxConcurrency: it is of an older version');
  }
  const account = await attempt(() => accountConcurrency(io, { region, credentials: async () => credentials.value }));
  if (!account.ok) {
    return skipped(
      'concurrency',
      `the account's limit cannot be read (lambda:GetAccountSettings): ${causeOf(account.error)}`,
    );
  }
  const { fits, detail } = judgeConcurrency(cap, account.value);
  return fits ? ok('concurrency', detail) : failed('concurrency', detail);
}

function clockFinding(date: string | null, now: number): Finding {
  const there = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(there)) return skipped('clock', 'the answer has no Date to compare with');
  const skewMs = Math.abs(now - there);
  // The header has whole seconds.
  if (skewMs < 2_000) return ok('clock', 'as the service has it');
  const off = `${duration(skewMs)} ${now > there ? 'ahead of' : 'behind'} the service`;
  if (skewMs < MAX_SKEW_MS) return ok('clock', `${off}, which does no harm below 5 min`);
  return failed(
    'clock',
    `This machine is ${off}, so AWS refuses its signatures: set the clock (timedatectl set-ntp true).`,
  );
}

async function permissionFinding(
  url: string,
  region: string | undefined,
  credentials: Tried<Credentials>,
  io: Io,
): Promise<Finding> {
  if (region === undefined || !credentials.ok)
    return skipped('permission', 'nothing can be signed without credentials and a Region');
  const { createClient } = await import('../client/index.ts');
  const client = createClient({
    url,
    region,
    credentials: credentials.value,
    fetch: io.fetch,
    clock: { now: io.now, sleep: (ms) => io.sleep(ms) },
    retry: { attempts: 2 },
  });
  const asked = await attempt(() => client.queues());
  if (asked.ok) return ok('permission', `a signed request was taken (${counted(asked.value.length, 'queue')})`);
  const { text } = advise(asked.error);
  const words = asked.error instanceof Error ? asked.error.message : '';
  return failed('permission', adviceOn(words) === undefined && text === '' ? words : text);
}
