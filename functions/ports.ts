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

/** What a task token came to: whoever waited with it is told, or waits no longer. */
export type CallbackAnswer = 'told' | 'over';

/** Step Functions executions that wait with a task token. Both reject when Step Functions did not take it. */
export interface Callbacks {
  /** @param output becomes JSON, of 256 kB at most */
  succeed(token: string, output: object): Promise<CallbackAnswer>;
  /** @param error what a Retry or a Catch goes by; @param cause for people, 32,768 characters at most */
  fail(token: string, error: string, cause: string): Promise<CallbackAnswer>;
}

/** One structured line. Nothing is logged per poke. */
export type Log = (entry: { readonly message: string; readonly [field: string]: unknown }) => void;
