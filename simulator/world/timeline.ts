/** @returns the last entry at or before a second; undefined before the first. */
export function entryAt<Entry extends { readonly at: number }>(
  timeline: readonly Entry[] | undefined,
  second: number,
): Entry | undefined {
  return timeline?.findLast(({ at }) => at <= second);
}
