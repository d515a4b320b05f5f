/** A task as answers show it. */
import type { Instant } from './duration.ts';
import type { SensorSpec } from './sensor.ts';
import type { Coordinates, Mode } from './submit.ts';

/** States before the end. */
export type ActiveState = 'sensing' | 'deferred' | 'queued' | 'running' | 'up_for_reschedule' | 'up_for_retry';

/** States that end a task. */
export type TerminalState = 'success' | 'failed' | 'skipped' | 'removed';

export type State = ActiveState | TerminalState;

/** The outside worker that runs the current try. */
export interface Owner {
  readonly hostname: string;
  readonly unixname: string;
  readonly pid: number;
}

/** One transition. */
export interface HistoryEntry {
  readonly at: Instant;
  readonly from: State | 'none';
  readonly to: State;
  readonly try_number: number;
  /** What happened, and its reason where it has one. */
  readonly why: string;
  /** `user:<ARN>`, `worker:<hostname>`, `service`. */
  readonly by: string;
}

/** How far ending the watched work of a removed task has come (`cancel_on_kill`). */
export interface Cancel {
  readonly state: 'wanted' | 'asked' | 'done' | 'failed';
  readonly reason?: string;
}

/** Durations are seconds. */
export interface Task extends Coordinates {
  readonly id: string;
  readonly state: State;
  /** Why it is in its state: the text of the last failure or of its end. */
  readonly reason?: string;
  readonly result?: unknown;
  /** `<id>~<try_number>`: names the current try on the execution API. */
  readonly try_id: string;
  /** 1, 2, ... */
  readonly try_number: number;
  readonly max_tries: number;
  readonly queue: string;
  readonly mode: Mode;
  readonly sensor: SensorSpec;
  /** Seconds. */
  readonly poke_interval: number;
  readonly exponential_backoff: boolean;
  /** Seconds. */
  readonly max_wait?: number;
  /** Seconds. */
  readonly timeout: number;
  /** Seconds. */
  readonly execution_timeout?: number;
  readonly retry_on_timeout: boolean;
  readonly retries: number;
  /** Seconds. */
  readonly retry_delay: number;
  /** The factor; false: a constant delay. */
  readonly retry_exponential_backoff: false | number;
  /** Seconds. */
  readonly max_retry_delay?: number;
  readonly soft_fail: boolean;
  readonly silent_fail: boolean;
  readonly never_fail: boolean;
  readonly cancel_on_kill: boolean;
  /** Seconds. */
  readonly heartbeat_timeout: number;
  readonly tags?: Readonly<Record<string, string>>;
  /** Equal conditions have the same: a decimal text of 63 bits. */
  readonly hashcode: string;
  readonly shardcode: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  /** Start of the current try. */
  readonly started_at: Instant;
  /** End of the current try's patience; never moves. */
  readonly deadline: Instant;
  readonly ended_at?: Instant;
  readonly next_retry_at?: Instant;
  readonly owner?: Owner;
  readonly heartbeat_at?: Instant;
  readonly cancel?: Cancel;
  /** The latest transitions, oldest first. */
  readonly history: readonly HistoryEntry[];
}

/** A task that has ended. */
export type EndedTask = Task & { readonly state: TerminalState };
