import { setTimeout as pause } from 'node:timers/promises';

export interface Limits {
  /** When to give up, ms. */
  readonly limitMs?: number;
  /** The pause between two looks, ms. */
  readonly everyMs?: number;
}

/**
 * Looks again and again until what is seen is as it should be.
 * @returns what was seen then
 * @throws Error with what was seen last, when the limit has passed
 */
export async function until<Seen>(
  look: () => Promise<Seen>,
  isRight: (seen: Seen) => boolean,
  { limitMs = 20_000, everyMs = 100 }: Limits = {},
): Promise<Seen> {
  const giveUpAt = Date.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (isRight(seen)) return seen;
    if (Date.now() > giveUpAt) {
      const last = JSON.stringify(seen)?.slice(0, 2_000);
      throw new Error(`not so within ${limitMs} ms: ${isRight.toString()}; last seen: ${last}`);
    }
    await pause(everyMs);
  }
}
