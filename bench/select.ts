import type { Line } from './row.ts';

/**
 * @param wanted names or beginnings of names; none: all lines
 * @returns the lines in their own order, and the names that select nothing
 */
export function select(
  lines: readonly Line[],
  wanted: readonly string[],
): { readonly chosen: readonly Line[]; readonly unknown: readonly string[] } {
  const isMeant = ({ name }: Line): boolean => wanted.some((begin) => name.startsWith(begin));
  return {
    chosen: wanted.length === 0 ? lines : lines.filter(isMeant),
    unknown: wanted.filter((begin) => !lines.some(({ name }) => name.startsWith(begin))),
  };
}
