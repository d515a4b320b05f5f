/**
 * Room for tasks that poke for themselves: a queue runs `max_workers * worker_concurrency` of them at once, all queues
 * together what the service's concurrency leaves (concurrency.ts). Pure.
 */
import type { QueueSettings } from './queue.ts';

/** A claimed slot is used within so long: until then nobody sees whether it is a run yet. */
export const CLAIM_MS = 10_000;

/** Whose slots are those that all queues share: the name of no queue. */
export const COMMON = '*';

/** Of a queue, or of all of them: how many runs may begin between two ticks without asking the dispatcher. */
export interface Slots {
  /** What the last tick left. */
  readonly granted: number;
  /** What is left of it now. */
  readonly left: number;
  /** When one was last claimed, epoch ms. */
  readonly claimed_at?: number;
}

/** @returns how many runs a queue may have at once. */
export function capacityOf(queue: Pick<QueueSettings, 'max_workers' | 'worker_concurrency'>): number {
  return Math.max(0, Math.floor(queue.max_workers * queue.worker_concurrency));
}

/** @returns how many claimed slots may belong to runs that do not show as running yet. */
export function pendingClaims(slots: Slots | undefined, now: number): number {
  if (slots?.claimed_at === undefined || now - slots.claimed_at >= CLAIM_MS) return 0;
  return Math.max(0, slots.granted - slots.left);
}

/** A queue's runs at the beginning of a tick. */
export interface Room {
  readonly capacity: number;
  /** Runs that hold a lease. */
  readonly running: number;
  /** Claimed, and perhaps not running yet. */
  readonly pending: number;
  /** How many more may begin in this tick, whatever is free. */
  readonly most: number;
  /** For each worker of the tick: how many tasks of its shards are due for a run. */
  readonly waiting: readonly number[];
}

/**
 * Shares the free slots of a queue over the workers of a tick, in proportion to what is due in their shards.
 * @returns shares: for each worker how many runs it may start, never more than are due with it; left: what may begin
 * until the next tick
 */
export function shareSlots({ capacity, running, pending, most, waiting }: Room): {
  readonly shares: readonly number[];
  readonly left: number;
} {
  const free = Math.max(0, capacity - running - pending);
  const due = waiting.reduce((sum, one) => sum + one, 0);
  const startable = Math.min(free, most);
  if (due <= startable) return { shares: waiting, left: free - due };
  const whole = waiting.map((one) => Math.floor((startable * one) / due));
  // What the fractions leave goes to those who lost most by them; in order where they lost alike.
  const order = waiting
    .map((one, index) => ({ index, lost: (startable * one) / due - (whole[index] ?? 0) }))
    .toSorted((a, b) => b.lost - a.lost || a.index - b.index);
  const over = startable - whole.reduce((sum, one) => sum + one, 0);
  const lucky = new Set(order.slice(0, over).map(({ index }) => index));
  return { shares: whole.map((one, index) => (lucky.has(index) ? one + 1 : one)), left: 0 };
}
