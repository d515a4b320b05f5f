/** What was woken a moment ago, in the memory of one process: events come twice, and in floods. */

/** For so long an event that comes again wakes nothing, ms. */
const WINDOW_MS = 5_000;

/**
 * Events that may wake one target in that time: keys of one list land together, and each may be the last. Of a flood the
 * first ones are enough; the next due poke sees the rest.
 */
const WAKES = 5;

export interface Recent {
  /** @returns whether the event (its id) may wake the target now. */
  admits(target: string, event: string, now: number): boolean;
  /** It has woken the target. */
  note(target: string, event: string, now: number): void;
}

export function createRecent(): Recent {
  const wakes = new Map<string, readonly { readonly event: string; readonly at: number }[]>();
  let sweptAt = 0;

  function sweep(now: number): void {
    if (now - sweptAt < WINDOW_MS) return;
    sweptAt = now;
    for (const [target, list] of wakes) {
      if (list.every(({ at }) => now - at >= WINDOW_MS)) wakes.delete(target);
    }
  }

  const within = (target: string, now: number) => (wakes.get(target) ?? []).filter(({ at }) => now - at < WINDOW_MS);

  return {
    admits(target, event, now) {
      const list = within(target, now);
      return list.length < WAKES && list.every((one) => one.event !== event);
    },
    note(target, event, now) {
      sweep(now);
      wakes.set(target, [...within(target, now), { event, at: now }]);
    },
  };
}
