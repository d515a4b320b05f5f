/** What a command works with: the client, made when it is first needed, and where it prints. */
import type { SensoriumClient } from '../client/index.ts';
import { findPlace } from './connect.ts';
import type { Io } from './io.ts';
import { usage } from './failures.ts';
import { pathName } from './options.ts';
import type { CommonOptions } from './options.ts';
import { createOut } from './output.ts';
import type { Out } from './output.ts';

export interface Session {
  readonly io: Io;
  readonly out: Out;
  readonly options: CommonOptions;
  readonly client: () => Promise<SensoriumClient>;
}

export function createSession(io: Io, options: CommonOptions): Session {
  let client: Promise<SensoriumClient> | undefined;
  return {
    io,
    options,
    out: createOut(io, options.json === true),
    client: () => (client ??= connect(io, options)),
  };
}

/** Signing and validation are loaded here and not before: help is instant. */
async function connect(io: Io, options: CommonOptions): Promise<SensoriumClient> {
  const { createClient } = await import('../client/index.ts');
  const place = await findPlace(options, io);
  // Without any there is nothing to try: found out here, and not by a request.
  await place.credentials();
  return createClient({
    ...place,
    ...(options.queue === undefined ? {} : { queue: queueOf(options.queue) }),
    // An interrupt ends the request that is under way, and the pause before another.
    fetch: (url, init) => io.fetch(url, { ...init, signal: both(io.signal, init.signal) }),
    clock: { now: io.now, sleep: (ms) => io.sleep(ms) },
  });
}

function both(own: AbortSignal, other: AbortSignal | null | undefined): AbortSignal {
  return other ? AbortSignal.any([own, other]) : own;
}

/** Of a task, `--queue` is a field as any other; here it becomes a part of the URL. @throws Failure for what cannot */
function queueOf(name: string): string {
  try {
    return pathName(name);
  } catch (error) {
    throw error instanceof Error ? usage(`--queue: ${error.message}`) : error;
  }
}
