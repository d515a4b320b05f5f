/** What outside workers say of their tries, and hear. */
import type { Instant } from './duration.ts';
import type { SensorSpec } from './sensor.ts';
import type { Owner, State } from './task.ts';

/** A worker, and which try it means where the id is a task's. */
export interface RunRequest extends Owner {
  /** @default the current try */
  readonly try_number?: number;
}

/** The try that the worker runs from now on. */
export interface Run {
  readonly id: string;
  /** Names this try in `heartbeat` and `state`: what comes late for it harms no later one. */
  readonly try_id: string;
  readonly try_number: number;
  readonly max_tries: number;
  /** Whether a failure would be retried. */
  readonly should_retry: boolean;
  readonly deadline: Instant;
  readonly sensor: SensorSpec;
}

/** How a try ended. Whether a failed one is retried is for the service to say. */
export type StateRequest = { readonly try_number?: number } & (
  | { readonly state: 'success' }
  | { readonly state: 'failed' | 'fail_without_retry' | 'skipped' | 'up_for_retry'; readonly reason?: string }
  /** The same try again from then on, with the same deadline. */
  | { readonly state: 'up_for_reschedule'; readonly reschedule_date: Instant }
);

/** How the try stands that was said to be so before. */
export interface TryState {
  readonly id: string;
  readonly try_id: string;
  readonly try_number: number;
  readonly state: State;
}

export interface Heartbeat {
  readonly hostname: string;
  readonly pid: number;
  /** @default the current try */
  readonly try_number?: number;
}
