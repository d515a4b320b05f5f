/**
 * What somebody has not been told yet: a mark stands in the table until they are (docs/adr/0024), and says when they are
 * told again.
 */
import type { State } from './task.ts';

/** Who is told of a task: the bus, and each execution that waits with a task token. */
export const RECEIVERS = ['bus', 'execution'] as const;

export type Receiver = (typeof RECEIVERS)[number];

/** A fact as it is told, as far as the service reads it itself. What else it holds is told as well. */
export interface Fact {
  /** One id for one fact. */
  readonly id: string;
  readonly task_id: string;
  readonly try_id: string;
  readonly state: State;
  /** ISO 8601. */
  readonly at: string;
  readonly reason?: string;
}

/** A mark: this receiver has still to be told of this fact. Instants are epoch milliseconds. */
export interface Untold {
  readonly receiver: Receiver;
  readonly fact: Fact;
  /** Of an execution: the digest of its token. The token itself stands in the task's record and nowhere else. */
  readonly token?: string;
  /** Of an execution: what the poke found that ended the wait. */
  readonly result?: unknown;
  readonly since: number;
  /** How often it was refused. */
  readonly tries: number;
  /** The name of the last error. */
  readonly why: string;
  /** When it is told again. */
  readonly wake_at: number;
}

const FIRST_PAUSE_MS = 60_000;

/** After an outage of any length, nobody waits for longer than this and two ticks. */
export const LONGEST_PAUSE_MS = 15 * 60_000;

/** @returns the pause before the next try, ms: none before the first, then doubling from a minute up to the longest. */
export function pauseAfter(tries: number): number {
  return tries === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
}

/** @returns the mark after one more try that was refused. */
export function refusedAgain(mark: Untold, why: string, now: number): Untold {
  const tries = mark.tries + 1;
  return { ...mark, tries, why, wake_at: now + pauseAfter(tries) };
}
