/** @returns the list in pieces of at most `size`. */
export function chunks<Thing>(things: readonly Thing[], size: number): Thing[][] {
  return Array.from({ length: Math.ceil(things.length / size) }, (_, n) => things.slice(n * size, (n + 1) * size));
}

/** @returns the list in rounds: in no round a key twice, and what came first in an earlier round. */
export function rounds<Thing>(things: readonly Thing[], keyOf: (thing: Thing) => string): Thing[][] {
  const seen = new Map<string, number>();
  const all: Thing[][] = [];
  for (const thing of things) {
    const key = keyOf(thing);
    const round = seen.get(key) ?? 0;
    seen.set(key, round + 1);
    (all[round] ??= []).push(thing);
  }
  return all;
}
