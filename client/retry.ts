/** Trying again, with full jitter. */
import type { Clock, RetryLimits } from './options.ts';

export type Attempt<Value> =
  | { readonly done: true; readonly value: Value }
  /** Worth another try. `afterMs`: the service asks for a pause of this length at least. */
  | { readonly done: false; readonly error: Error; readonly afterMs?: number };

export interface RetryDeps {
  readonly retry: RetryLimits;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * @param attempt is called until it is done or the tries are over
 * @throws the last try's error, with how many there were; the signal's reason where that aborts in a pause
 */
export async function repeat<Value>(
  { retry, clock, random }: RetryDeps,
  attempt: () => Promise<Attempt<Value>>,
  signal?: AbortSignal,
): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    if (outcome.done) return outcome.value;
    const { error, afterMs = 0 } = outcome;
    if (tries >= retry.attempts || afterMs > retry.capMs) {
      error.message += ` (after ${tries === 1 ? '1 try' : `${tries} tries`})`;
      throw error;
    }
    await clock.sleep(afterMs + pauseMs(retry, tries, random), signal);
  }
}

/** Full jitter: whoever was refused together comes back spread. */
export function pauseMs({ baseMs, capMs }: RetryLimits, tries: number, random: () => number): number {
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** (tries - 1)));
}

/** @returns milliseconds of a `Retry-After` (seconds, or a date); undefined where there is none that can be read. */
export function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  // Date.parse reads more than dates: `-1` is a year to it.
  const ms = /^\d+$/.test(text)
    ? Number(text) * 1000
    : /^[A-Z][a-z]{2},/.test(text)
      ? Date.parse(text) - now
      : Number.NaN;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
