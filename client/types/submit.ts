/** A task as it is submitted. */
import type { Duration, Instant } from './duration.ts';
import type { Sensor } from './sensor.ts';

/** Who waits. */
export type Mode = 'smart' | 'deferrable' | 'reschedule' | 'poke';

/** Airflow's coordinates: for people, and for the jitter of the retry delay. */
export interface Coordinates {
  readonly dag_id?: string;
  readonly task_id?: string;
  readonly run_id?: string;
  /** -1: not mapped. */
  readonly map_index?: number;
  /** ISO 8601 with an offset. */
  readonly logical_date?: Instant;
}

/** A wait. Only `sensor` is required; durations are seconds, or ISO 8601 as text. */
export interface NewTask extends Coordinates {
  /** What is waited for. */
  readonly sensor: Sensor;
  /**
   * 1 to 250 of `A-Z a-z 0-9 _ . : = + @ -`, not `.` or `..`; unique in the service. The same id with the same body is the same task.
   * @default a UUIDv7, given before the first try
   */
  readonly id?: string;
  /** 1 to 64 of `A-Z a-z 0-9 _ . -`; made by its first task. Pokes are shared within a queue. @default 'default' */
  readonly queue?: string;
  /** `auto`: the cheaper of smart and deferrable that keeps the interval. @default 'smart' */
  readonly mode?: Mode | 'auto';

  /** Between two pokes: 1 s to 7 days. @default 60 */
  readonly poke_interval?: Duration;
  /** Each poke about twice as late as the one before. @default false */
  readonly exponential_backoff?: boolean;
  /** The longest of the growing intervals: 1 s to 7 days. @default none */
  readonly max_wait?: Duration;
  /** Of one try, from its start, up to a year. Then the task is `failed`, with no retry. @default 604800 */
  readonly timeout?: Duration;
  /** The same from the same start, but a failure: the retry rules decide. @default none */
  readonly execution_timeout?: Duration;
  /** A timeout is retried. @default false */
  readonly retry_on_timeout?: boolean;
  /** Tries after the first. @default 0 */
  readonly retries?: number;
  /** From the end of a failed try to the next. @default 300 */
  readonly retry_delay?: Duration;
  /** `true` doubles the delay with each try; a number from 1 to 1000 is the factor. With jitter. @default false */
  readonly retry_exponential_backoff?: boolean | number;
  /** The longest growing delay. @default 24 hours */
  readonly max_retry_delay?: Duration;
  /** A timeout is `skipped`, and so is `fail_without_retry`. Excludes `never_fail`. @default false */
  readonly soft_fail?: boolean;
  /** A permanent error of a poke counts as "not met". @default false */
  readonly silent_fail?: boolean;
  /** Whatever fails is `skipped` at once. Excludes `soft_fail`. @default false */
  readonly never_fail?: boolean;
  /** Removing the task while it waits ends the EMR step or cluster that it watches. @default false */
  readonly cancel_on_kill?: boolean;
  /** How long the worker of an external task may be silent, up to a day. @default 300 */
  readonly heartbeat_timeout?: Duration;

  /** Up to 50 texts by name, for people. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The task token of the Step Functions execution that waits for the end. Never shown again. */
  readonly callback?: { readonly task_token: string };
}

/** What `estimate` is asked. */
export interface EstimateRequest {
  /** A task as it would be submitted. */
  readonly task: NewTask;
  /** How many equal tasks wait for the condition: 1 to 10,000,000. @default 1 */
  readonly duplicates?: number;
  /** How long it is expected to wait. @default an hour, or the timeout if that is shorter */
  readonly wait?: Duration;
}
