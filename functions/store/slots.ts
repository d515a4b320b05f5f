import * as z from 'zod/mini';
import type { Slots } from '../core/slots.ts';
import type { StoreDeps } from './deps.ts';
import { slotsKey } from './keys.ts';
import { isPoison, parsed } from './poison.ts';
import type { Store } from './store.ts';
import type { Clause, Condition, Item } from './table.ts';
import { toAttributes } from './value.ts';

const schema = z.object({
  granted: z.number(),
  left: z.number(),
  claimed_at: z.exactOptional(z.number()),
} satisfies Record<keyof Slots, unknown>);

/** Each failed attempt means that somebody else claimed; more than this is left to the next tick. */
const ATTEMPTS = 8;

/** Every write of the record has an op_id of its own. */
function asSeen(item: Item | undefined): Clause {
  const op_id = item?.['op_id'];
  return typeof op_id === 'string' ? { attr: 'op_id', op: '=', value: op_id } : { attr: 'op_id', op: 'missing' };
}

/** The slots' part of the store: how many runs of a queue may begin before the next tick. */
export function slotStore(deps: StoreDeps): Pick<Store, 'slots' | 'grantSlots' | 'claimSlots'> {
  const { table, writes, onPoison } = deps;

  /** An unreadable record is a memory that was lost: it counts as none, and is written anew. */
  function read(item: Item | undefined): Slots | undefined {
    const slots = item === undefined ? undefined : parsed(schema, item);
    if (slots === undefined || !isPoison(slots)) return slots;
    onPoison(slots);
    return undefined;
  }

  async function write(queue: string, next: Slots, condition: Condition): Promise<boolean> {
    const remove = next.claimed_at === undefined ? ['claimed_at'] : [];
    const { done } = await writes.update({
      key: slotsKey(queue),
      change: { set: toAttributes(next), remove },
      condition,
    });
    return done;
  }

  return {
    slots: async (queue) => read(await table.get(slotsKey(queue))),

    grantSlots: (queue, seen, left) => {
      return write(queue, { granted: left, left }, [
        seen ? { attr: 'left', op: '=', value: seen.left } : { attr: 'left', op: 'missing' },
      ]);
    },

    async claimSlots(queue, wanted, capacity, now) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const item = await table.get(slotsKey(queue));
        const { granted, left } = read(item) ?? { granted: capacity, left: capacity };
        const claimed = Math.min(wanted, left);
        if (claimed <= 0) return 0;
        const next = { granted, left: left - claimed, claimed_at: now };
        if (await write(queue, next, [asSeen(item)])) return claimed;
      }
      return 0;
    },
  };
}
