/** What the outside gives the code: time, chance, names, other functions. The simulator gives its own. */

export interface Clock {
  /** @returns epoch milliseconds. */
  now(): number;
  /** Resolves after `ms` milliseconds, or as soon as the signal aborts (it never rejects). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** @returns a number in [0, 1). */
export type Random = () => number;

/** @returns a new unique text (op ids, worker ids). */
export type NewId = () => string;

/** Asynchronous invocation of another function of the service: accepted, not awaited; may be delivered twice. */
export interface Invoker<Event> {
  invoke(event: Event): Promise<void>;
}

/** One structured line. Nothing is logged per poke. */
export type Log = (entry: { readonly message: string; readonly [field: string]: unknown }) => void;
