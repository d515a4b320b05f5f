#!/usr/bin/env node
// `sensorium`: the command line on the real outside.
import pkg from '../package.json' with { type: 'json' };
import { runCli } from './cli.ts';
import { Interrupted } from './failures.ts';
import type { Credentials } from './io.ts';

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const interrupt = new AbortController();
for (const [name, code] of Object.entries(SIGNALS)) {
  // The second one finds the default again: it ends the process at once.
  process.once(name, () => interrupt.abort(new Interrupted(code)));
}

/** Providers remember their credentials and renew them; one a profile. */
const providers = new Map<string | undefined, () => Promise<Credentials>>();

async function credentials(profile: string | undefined): Promise<Credentials> {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  const provider = providers.get(profile) ?? defaultProvider(profile === undefined ? {} : { profile });
  providers.set(profile, provider);
  return provider();
}

async function configuredRegion(profile: string | undefined): Promise<string | undefined> {
  const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
  const client = new CloudFormationClient(profile === undefined ? {} : { profile });
  try {
    return await client.config.region();
  } catch {
    // The SDK's way of saying that none is configured.
    return undefined;
  }
}

function sleep(ms: number): Promise<void> {
  const { signal } = interrupt;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise<string>((resolve) => {
    // On a terminal Ctrl-C is a key that readline reads; Ctrl-D ends the input, and is no answer.
    lines.once('SIGINT', () => {
      interrupt.abort(new Interrupted(SIGNALS.SIGINT));
      lines.close();
    });
    lines.once('close', () => resolve(''));
    interrupt.signal.addEventListener('abort', () => lines.close(), { once: true });
    lines.question(question, resolve);
  });
  lines.close();
  interrupt.signal.throwIfAborted();
  return answer;
}

// `sensorium list | head`: whoever read has read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

/** Asked for it only where a command reads it: an input that is open would keep the process. */
let isRead = false;

process.exitCode = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  get stdin() {
    isRead = true;
    return process.stdin;
  },
  env: process.env,
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  sleep,
  ask,
  signal: interrupt.signal,
  credentials,
  configuredRegion,
  version: pkg.version,
});
if (isRead) process.stdin.destroy();
