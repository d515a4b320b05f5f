import type { QueueRecord, QueueSettings, ScalingDecision } from './queue.ts';

export interface Load {
  /** What the queue's workers hold now, and what falls due in this tick. What only waits is not counted. */
  readonly running: number;
  readonly queued: number;
  /** Dormant targets are looked at in every tick: one worker is there for it, though it is no load. */
  readonly dormant?: boolean;
  /** False: counting failed, and the two numbers say nothing. */
  readonly counted: boolean;
  readonly settings: Pick<QueueSettings, 'worker_concurrency' | 'min_workers' | 'max_workers' | 'cooldown_seconds'>;
  /** Epoch ms. */
  readonly now: number;
  readonly busyAt?: QueueRecord['busy_at'] | undefined;
  /** What was desired in the last tick. */
  readonly last?: ScalingDecision['desired'] | undefined;
}

export interface Scaling extends Pick<ScalingDecision, 'desired' | 'reason'> {
  /** The last instant at which more than the minimum was wanted; for the next decision. */
  readonly busy_at?: number;
}

/**
 * How many workers a queue gets in this tick (DESIGN, section 6): `clamp(ceil((running + queued) / worker_concurrency), min,
 * max)`. Running work counts, so a worker that holds work is never cut. On the way to 0, and there only, at least one
 * stays until the cooldown since busy_at is over. When counting fails the last value holds: a failure is not a zero.
 */
export function desiredWorkers(load: Load): Scaling {
  const { running, queued, dormant = false, counted, settings, now, busyAt, last } = load;
  const clamp = (wanted: number) => Math.min(settings.max_workers, Math.max(settings.min_workers, wanted));
  const since = busyAt === undefined ? {} : { busy_at: busyAt };
  // Without a last value one worker looks: nobody knows whether there is work.
  if (!counted) return { desired: last ?? clamp(1), reason: 'counting failed: unchanged', ...since };

  const concurrency = Math.max(1, settings.worker_concurrency);
  const wanted = Math.ceil((running + queued) / concurrency);
  const desired = clamp(wanted);
  const sum = `${running} running + ${queued} due, ${concurrency} a worker`;
  if (wanted > settings.min_workers) {
    return { desired, reason: desired < wanted ? `${sum}: the maximum` : sum, busy_at: now };
  }
  if (desired === 0 && busyAt !== undefined && now < busyAt + settings.cooldown_seconds * 1000) {
    return { desired: clamp(1), reason: 'nothing is due: one stays for the cooldown', ...since };
  }
  if (desired === 0 && dormant) return { desired: clamp(1), reason: 'dormant targets are looked at', ...since };
  return { desired, reason: wanted === 0 ? 'nothing is due: the minimum' : `${sum}: the minimum`, ...since };
}
