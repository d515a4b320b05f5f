/** Records of queues and their shards. A queue is cheap: a record, not infrastructure. */

/** What an operator sets on a queue; durations in seconds. */
export interface QueueSettings {
  /** How many pokes that fall due in a tick one worker takes. */
  readonly worker_concurrency: number;
  readonly min_workers: number;
  readonly max_workers: number;
  readonly cooldown_seconds: number;
  /** Calls per second by API (`s3`) or operation (`emr:ListSteps`); what is not named has the service's default. */
  readonly budgets: Readonly<Record<string, number>>;
  /** Nothing of it is poked, nothing begins; deadlines wait to be looked at. */
  readonly paused: boolean;
  /** A submit beyond so many active tasks is answered 429; none: as many as there are. */
  readonly max_active_tasks?: number;
}

export const DEFAULT_QUEUE: QueueSettings = {
  worker_concurrency: 500,
  min_workers: 0,
  max_workers: 16,
  cooldown_seconds: 120,
  budgets: {},
  paused: false,
};

/** What the dispatcher decided in a tick, and why. */
export interface ScalingDecision {
  readonly at: number;
  readonly desired: number;
  readonly running: number;
  readonly queued: number;
  readonly reason: string;
  /** Where the service's concurrency had no room: how many workers were not started, and how many runs. */
  readonly short?: { readonly workers: number; readonly runs: number };
}

export interface QueueRecord extends QueueSettings {
  readonly name: string;
  readonly rev: number;
  /** Nothing waits in it: the dispatcher leaves it alone. */
  readonly idle: boolean;
  /** When it was last used, epoch ms (written at most once a minute). */
  readonly active_at: number;
  /** The last instant at which more than the minimum of workers was wanted, epoch ms. */
  readonly busy_at?: number;
  readonly decision?: ScalingDecision;
  /** Current rate per budget, where throttling has lowered it. */
  readonly rates?: Readonly<Record<string, number>>;
  /** Last hourly sweep, epoch ms. */
  readonly swept_at?: number;
}

/** What a worker expects of a shard's next tick. */
export interface Forecast {
  /** When the shard was read, epoch ms. */
  readonly at: number;
  /** When something is due next, epoch ms; missing if nothing ever is. */
  readonly next_due_at?: number;
  /** How much is due within one tick from there. */
  readonly due: number;
  /** How many targets had been joined in the five minutes before `at`: the index may still lag with others. */
  readonly recent: number;
  /** How many dormant targets it has: they are looked at in every tick, but are no load. */
  readonly dormant: number;
}

/** What the run counted that the shard was part of; a run writes the same into each of its shards. */
export interface ShardStatistics {
  readonly at: number;
  readonly worker: string;
  /** Of this shard alone. */
  readonly targets: number;
  readonly pokes: number;
  readonly calls: number;
  readonly met: number;
  readonly unknown: number;
  readonly throttled: number;
  readonly ended: number;
  /** Runs of tasks that poke for themselves. */
  readonly started: number;
  readonly poison: number;
  /** Calls that a sensor for each task would have made besides. */
  readonly calls_saved?: number;
  /** How late the latest poke was, ms. */
  readonly poke_lag_ms?: number;
  /** Throttled answers by budget name, for the dispatcher. */
  readonly throttled_by?: Readonly<Record<string, number>>;
}

export interface ShardRecord {
  readonly queue: string;
  readonly shard: number;
  readonly lease_owner?: string;
  readonly lease_until?: number;
  /** All pokes due up to here were made or are owed, epoch ms. */
  readonly ticked_through: number;
  /** Hashcodes (with mode) of targets whose due poke the budget left out: first in the next tick. */
  readonly owed: readonly string[];
  /** Since when the oldest of them is due, epoch ms. */
  readonly owed_since?: number;
  readonly forecast?: Forecast;
  readonly statistics?: ShardStatistics;
}
