/** Queues and estimates. */
import type { Duration, Instant } from './duration.ts';
import type { Mode } from './submit.ts';

/** What an operator sets. What is left out has its default again. */
export interface QueueSettings {
  /** Pokes that fall due in a tick and that one worker takes: 1 to 100,000. @default 500 */
  readonly worker_concurrency?: number;
  /** 0 to 1000. @default 0 */
  readonly min_workers?: number;
  /** 1 to 1000. @default 16 */
  readonly max_workers?: number;
  /** On the way to no worker, one stays for so long: up to a day. @default 120 */
  readonly cooldown_seconds?: Duration;
  /** Calls per second by API (`s3`) or operation (`emr:ListSteps`). @default {} */
  readonly budgets?: Readonly<Record<string, number>>;
  /** Nothing of it is poked and nothing begins. @default false */
  readonly paused?: boolean;
  /** A submit beyond it is answered 429. @default none */
  readonly max_active_tasks?: number;
}

/** A queue: its settings, and how it stood in its last tick. */
export interface Queue {
  readonly name: string;
  readonly worker_concurrency: number;
  readonly min_workers: number;
  readonly max_workers: number;
  readonly cooldown_seconds: number;
  readonly budgets: Readonly<Record<string, number>>;
  readonly paused: boolean;
  readonly max_active_tasks?: number;
  /** It has nothing to do and is not looked at. */
  readonly idle: boolean;
  readonly active_at: Instant;
  /** Pokes and runs that were due. */
  readonly due: number;
  /** Runs that hold a lease. */
  readonly held: number;
  /** Targets that wait. */
  readonly waiting: number;
  /** Targets that nobody waits for any more. */
  readonly dormant: number;
  /** Pokes that the budget left out. */
  readonly owed: number;
  readonly workers: {
    readonly wanted: number;
    readonly running: number;
    /** Why so many are wanted. */
    readonly reason?: string;
    readonly decided_at?: Instant;
  };
  /** Calls per second now, by operation. */
  readonly rates: Readonly<Record<string, number>>;
}

/** What the wait would cost in one mode. */
export interface ModeEstimate {
  readonly mode: Mode;
  /** Calls of the watched API. */
  readonly calls: number;
  /** Step Functions state transitions. */
  readonly transitions: number;
  /** Lambda invocations. */
  readonly invocations: number;
  readonly gb_seconds: number;
  /** DynamoDB request units. */
  readonly reads: number;
  readonly writes: number;
  /** How long one task holds a worker, seconds. */
  readonly worker_seconds: number;
  readonly dollars: number;
  /** How late its end may be noticed at the worst, seconds. */
  readonly detection_delay: number;
}

/** A model, not a bill. */
export interface Estimate {
  readonly duplicates: number;
  /** Seconds. */
  readonly wait: number;
  /** Dollars per million of each, and per GB-second. */
  readonly prices: {
    readonly source: string;
    readonly writes: number;
    readonly reads: number;
    readonly transitions: number;
    readonly invocations: number;
    readonly requests: number;
    readonly events: number;
    readonly gbSecond: number;
  };
  /** What `auto` would take. */
  readonly auto: { readonly mode: 'smart' | 'deferrable'; readonly why: string };
  readonly modes: readonly ModeEstimate[];
}
