import type { Clock } from '../ports.ts';

/** One of what was to be delivered, and why it was not. */
export interface Refused<Item> {
  readonly item: Item;
  readonly why: string;
}

/**
 * Delivers, and what was refused again after a wait, until all is taken or there is no wait left.
 * @param send one attempt; @returns what it could not deliver
 * @param waitsMs waits before the second, third, ... attempt, ms
 * @returns what could not be delivered in the end
 */
export async function insist<Item>(
  clock: Clock,
  items: readonly Item[],
  waitsMs: readonly number[],
  send: (items: readonly Item[]) => Promise<readonly Refused<Item>[]>,
): Promise<readonly Refused<Item>[]> {
  let open = items.length === 0 ? [] : await send(items);
  for (const waitMs of waitsMs) {
    if (open.length === 0) break;
    await clock.sleep(waitMs);
    open = await send(open.map(({ item }) => item));
  }
  return open;
}
