import type { Observation } from './observation.ts';
import type { Mode, SensorSpec } from './task.ts';

/** What identifies a target: the waits of a queue and mode that poke the same thing. */
export interface TargetId {
  readonly queue: string;
  readonly mode: Mode;
  readonly hashcode: string;
}

/** When a target is poked: the cadence of its most eager member. Durations in seconds. */
export interface Cadence {
  /** The smallest constant interval, or the base of the exponential series. */
  readonly poke_interval: number;
  /** Only while every member is exponential; the series restarts with each join. */
  readonly exponential: boolean;
  readonly max_wait?: number;
}

/** The observation that last differed from the one before, and when it was made (epoch ms). */
export type SeenObservation = Observation & { readonly at: number };

/**
 * What the generation of a deferrable target knows: its execution wakes no later than this schedule says. A join that
 * needs it earlier begins the next generation.
 */
export interface Known extends Cadence {
  readonly next_deadline: number;
  readonly joined_at: number;
}

/** The one record that all active tasks of one condition share (Airflow: SensorWork). */
export interface Target extends TargetId, Cadence {
  readonly rev: number;
  readonly shardcode: number;
  readonly sensor: SensorSpec;
  /** All 256 bits behind the hashcode, in hex: two contexts that share 63 bits must not share a target. */
  readonly full_hash: string;
  /** The earliest deadline of its members, epoch ms; may be too early, never too late. */
  readonly next_deadline: number;
  /** Epoch ms; start of the exponential series and of the grace before relaxing or deleting. */
  readonly joined_at: number;
  /** When a submit last asked for a poke at once, epoch ms: at most one in 30 s. */
  readonly first_poke_at: number;
  /** Since when nobody is seen waiting, epoch ms: not poked, looked at in every tick. */
  readonly dormant?: number;
  /** A user took a task away: look at the members. */
  readonly check?: boolean;
  readonly observation?: SeenObservation;
  /** First unknown since the last clean poke, epoch ms. */
  readonly first_unknown_at?: number;
  /**
   * Of a deferrable target: which execution waits for it; an older one that wakes ends. The instant at which it began
   * (epoch ms), so that a target that is made anew does not meet the names of old executions.
   */
  readonly generation?: number;
  /** Of a deferrable target: how often its execution has handed over to the next. */
  readonly hop?: number;
  /** Of a deferrable target: what its generation knows; missing, nothing waits for it (it is new, or was dormant). */
  readonly known?: Known;
  /** What the sensor wants to keep between pokes. */
  readonly memory?: unknown;
}
