import * as z from 'zod/mini';
import type { Slots } from '../core/slots.ts';
import type { StoreDeps } from './deps.ts';
import { slotsKey } from './keys.ts';
import { isPoison, parsed } from './poison.ts';
import type { Store } from './store.ts';
import { toAttributes } from './value.ts';

const schema = z.object({
  granted: z.number(),
  left: z.number(),
  claimed_at: z.exactOptional(z.number()),
} satisfies Record<keyof Slots, unknown>);

/** Each failed attempt means that somebody else claimed; more than this is left to the next tick. */
const ATTEMPTS = 8;

/** The slots' part of the store: how many runs of a queue may begin before the next tick. */
export function slotStore(deps: StoreDeps): Pick<Store, 'slots' | 'grantSlots' | 'claimSlots'> {
  const { table, writes, onPoison } = deps;

  async function slots(queue: string): Promise<Slots | undefined> {
    const item = await table.get(slotsKey(queue));
    const read = item === undefined ? undefined : parsed(schema, item);
    if (read === undefined || !isPoison(read)) return read;
    // It is a memory of the last tick: the next one writes it anew.
    onPoison(read);
    return undefined;
  }

  /** Writes what is left IF it still stands as it was seen. */
  async function change(queue: string, seen: Slots | undefined, next: Slots): Promise<boolean> {
    const { done } = await writes.update({
      key: slotsKey(queue),
      change: { set: toAttributes(next), ...(next.claimed_at === undefined ? { remove: ['claimed_at'] } : {}) },
      condition: seen === undefined ? [] : [{ attr: 'left', op: '=', value: seen.left }],
    });
    return done;
  }

  return {
    slots,

    grantSlots: (queue, seen, left) => change(queue, seen, { granted: left, left }),

    async claimSlots(queue, wanted, capacity, now) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const seen = await slots(queue);
        const { granted, left } = seen ?? { granted: capacity, left: capacity };
        const claimed = Math.min(wanted, left);
        if (claimed <= 0) return 0;
        if (await change(queue, seen, { granted, left: left - claimed, claimed_at: now })) return claimed;
      }
      return 0;
    },
  };
}
