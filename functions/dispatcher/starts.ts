import type { QueueRecord } from '../core/queue.ts';
import { capacityOf, pendingClaims, shareSlots } from '../core/slots.ts';
import type { Slots } from '../core/slots.ts';
import type { Log } from '../ports.ts';
import type { Store } from '../store/store.ts';
import type { Load } from './load.ts';

/** How often the slots are shared anew where somebody claimed one meanwhile. */
const ATTEMPTS = 3;

/**
 * Shares the queue's room for runs: what is due goes to the workers of this tick, the rest is left for what begins until
 * the next one. It is left first: whoever claims a slot meanwhile is not overtaken by a worker with the same one.
 * @param slots as they stood before the load was counted
 * @param shares the shards of each worker
 * @returns for each worker, how many runs it may start; none where the slots could not be written
 */
export async function grantStarts(
  { store, log }: { readonly store: Pick<Store, 'slots' | 'grantSlots'>; readonly log: Log },
  queue: QueueRecord,
  slots: Slots,
  load: Load,
  shares: readonly (readonly number[])[],
  now: number,
): Promise<readonly number[]> {
  const waiting = shares.map((share) => share.reduce((sum, shard) => sum + (load.runs[shard] ?? 0), 0));
  const room = { capacity: capacityOf(queue), running: load.running, waiting };
  let seen: Slots | undefined = slots;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { left, shares: starts } = shareSlots({ ...room, pending: pendingClaims(seen, now) });
      if (seen?.granted === left && seen.left === left) return starts;
      if (await store.grantSlots(queue.name, seen, left)) return starts;
      seen = await store.slots(queue.name);
    }
    log({ message: 'slots are contended', queue: queue.name });
  } catch (error) {
    log({ message: 'slots not written', queue: queue.name, error: String(error) });
  }
  return [];
}
