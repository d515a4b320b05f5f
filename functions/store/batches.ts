/** Runs work on many things, so many at a time. @returns the results in order. The first rejection is passed on. */
export async function inParallel<Thing, Result>(
  things: readonly Thing[],
  limit: number,
  work: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = things.entries();
  const runner = async (): Promise<void> => {
    for (const [place, thing] of queue) results[place] = await work(thing);
  };
  await Promise.all(Array.from({ length: Math.min(limit, things.length) }, runner));
  return results;
}

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
