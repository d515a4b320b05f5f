import { mostRuns } from '../core/concurrency.ts';
import type { QueueRecord } from '../core/queue.ts';
import { capacityOf, COMMON, pendingClaims, shareSlots } from '../core/slots.ts';
import type { Slots } from '../core/slots.ts';
import type { Log } from '../ports.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { Load } from './load.ts';

interface StartsDeps {
  readonly store: Pick<Store, 'slots' | 'grantSlots'>;
  readonly log: Log;
}

/** How often the slots are shared anew where somebody claimed one meanwhile. */
const ATTEMPTS = 3;

/**
 * Shares the queue's room for runs: what is due goes to the workers of this tick, the rest is left for what begins until
 * the next one. It is left first: whoever claims a slot meanwhile is not overtaken by a worker with the same one.
 * @param slots as they stood before the load was counted
 * @param shares the shards of each worker
 * @param most how many runs the tick may start: the queue's share of the service's concurrency
 * @returns for each worker, how many runs it may start; none where the slots could not be written
 */
export async function grantStarts(
  { store, log }: StartsDeps,
  queue: QueueRecord,
  slots: Slots,
  load: Pick<Load, 'running' | 'runs'>,
  shares: readonly (readonly number[])[],
  most: number,
  now: number,
): Promise<readonly number[]> {
  const waiting = shares.map((share) => share.reduce((sum, shard) => sum + (load.runs[shard] ?? 0), 0));
  const room = { capacity: capacityOf(queue), running: load.running, most, waiting };
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

/**
 * Leaves to what begins until the next tick what this tick does not use itself of the runs that all queues share. It is
 * written before any run is started.
 * @param seen the common slots as they stood before any load was counted: what was claimed since is in no load
 * @param spare what is left
 * @returns whether it stands; if not, the tick starts no run
 */
export async function leaveSpare(
  { store, log, settings }: StartsDeps & { readonly settings: Pick<ServiceSettings, 'max_concurrency'> },
  seen: Slots | undefined,
  spare: number,
): Promise<boolean> {
  const before = seen ?? { granted: mostRuns(settings.max_concurrency), left: mostRuns(settings.max_concurrency) };
  let stands = seen;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const claimed = Math.max(0, before.left - (stands ?? before).left);
      const left = Math.max(0, spare - claimed);
      const isSo = (stands ?? before).left === left && claimed === 0;
      if (isSo || (await store.grantSlots(COMMON, stands, left))) return true;
      stands = await store.slots(COMMON);
    }
    log({ message: 'slots are contended', queue: COMMON });
  } catch (error) {
    log({ message: 'slots not written', queue: COMMON, error: String(error) });
  }
  return false;
}
