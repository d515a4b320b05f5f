/** Why a task still waits, and what comes next. */
import type { Instant } from './duration.ts';
import type { SensorSpec } from './sensor.ts';
import type { Mode } from './submit.ts';
import type { Cancel, Owner, State } from './task.ts';

/** What a poke said. `unknown` (throttled, 5xx, network, too slow) fails no task. */
export interface Observation {
  readonly kind: 'met' | 'not_met' | 'failed' | 'error' | 'unknown';
  readonly at: Instant;
  readonly reason?: string;
  readonly [detail: string]: unknown;
}

/** The record that equal waits of a queue share: what is poked. */
export interface Target {
  readonly hashcode: string;
  readonly shardcode: number;
  /** Seconds. */
  readonly poke_interval?: number;
  readonly exponential_backoff?: boolean;
  /** Seconds. */
  readonly max_wait?: number;
  /** How many tasks share the poke, of the first page of the index. */
  readonly tasks: number;
  /** Whether there are more than these. */
  readonly more: boolean;
}

/** How long the pause before the next try is, and why. Durations are seconds. */
export interface RetryDelay {
  readonly base: number;
  readonly jitter: number;
  /** null: the delay is constant. */
  readonly cap: number | null;
  readonly delay: number;
  readonly next_retry_at: Instant | null;
}

/** How the instant of the next poke came about. Durations are seconds. */
export type DueRule =
  | { readonly rule: 'deadline' }
  /** Before that instant a poke is pointless. */
  | { readonly rule: 'not_before'; readonly at: Instant }
  | { readonly rule: 'interval'; readonly interval: number; readonly phase: number }
  /** The n-th poke of a growing series. */
  | {
      readonly rule: 'exponential';
      readonly n: number;
      readonly base: number;
      readonly jitter: number;
      readonly cap: number | null;
      readonly delay: number;
    }
  | { readonly rule: 'max_wait'; readonly interval: number };

/** What a wait costs: calls of the watched API, and dollars. */
export interface Cost {
  readonly calls: number;
  readonly dollars: number;
}

export interface ShortOfCalls {
  readonly budget?: string;
  readonly calls_per_second?: number;
  /** Since when the oldest owed poke of its shard is due. */
  readonly owed_since?: Instant;
  /** How many are owed in its queue, this one too. */
  readonly place_at_most: number;
  /** An estimate: by then all of them are made, if each needs a call of its own. */
  readonly expected_by: Instant | null;
}

/** Who has not been told of the task's state yet, and is told again. */
export interface Untold {
  /** The event bus, or an execution that waits with a task token. */
  readonly receiver: 'bus' | 'execution';
  readonly since: Instant;
  /** How often it was refused. */
  readonly tries: number;
  /** The name of the last error. */
  readonly why: string;
  readonly next_try_at: Instant;
}

export interface Explanation {
  readonly id: string;
  readonly state: State;
  /** One sentence for people. */
  readonly summary: string;
  readonly reason?: string;
  readonly try_number: number;
  readonly max_tries: number;
  readonly queue: string;
  readonly mode: Mode;
  /** Why `auto` took this mode. */
  readonly mode_reason?: string;
  readonly sensor: SensorSpec;
  readonly started_at: Instant;
  readonly deadline: Instant;
  readonly ended_at?: Instant;
  readonly owner?: Owner;
  readonly heartbeat_at?: Instant;
  readonly cancel?: Cancel;
  /** null: nobody pokes it now. */
  readonly next_poke?: Instant | null;
  /** By which rule it is then. */
  readonly next_poke_rule?: DueRule;
  /** What said something new last; estimated where no poke has. null: not poked yet. */
  readonly last_observation?: Observation | null;
  /** About when it was last poked. */
  readonly last_poke?: { readonly at: Instant; readonly estimated: true };
  /** The queue's last decision, where the concurrency that all queues share had no room for all that it asked for. */
  readonly limited_by?: string;
  /** Its rate budget had no room: its poke is owed. */
  readonly short_of_calls?: ShortOfCalls;
  /** Since when no poke has had an answer. */
  readonly unknown_since?: Instant;
  readonly target?: Target;
  /** A model, not a bill. */
  readonly cost: {
    readonly so_far: Cost;
    readonly until_deadline?: Cost;
    /** Tasks that share it. */
    readonly shared_by: number;
  };
  /** Of a task that is up for retry. */
  readonly retry?: RetryDelay;
  /** Missing: everybody is told. */
  readonly untold?: readonly Untold[];
}
