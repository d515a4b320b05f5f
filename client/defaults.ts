/** What the real world gives a client; the only place of it that knows the clock and the dice. */
import { v7 } from 'uuid';
import type { ClientOptions, Clock, RetryLimits } from './options.ts';

const realClock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        clearTimeout(timer);
        // A reason is whatever the caller aborted with.
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      if (signal?.aborted === true) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  },
};

const RETRY: RetryLimits = { attempts: 5, baseMs: 200, capMs: 20_000 };

export type Resolved = Required<Omit<ClientOptions, 'region' | 'queue' | 'credentials' | 'retry'>> &
  Pick<ClientOptions, 'region' | 'queue' | 'credentials'> & { readonly retry: RetryLimits };

/** @returns the options with what was left out. */
export function withDefaults(options: ClientOptions): Resolved {
  return {
    fetch: (url, init) => fetch(url, init),
    clock: realClock,
    random: () => Math.random(),
    newId: () => v7(),
    callTimeoutSeconds: 35,
    ...options,
    retry: { ...RETRY, ...options.retry },
  };
}
