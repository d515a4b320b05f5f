/** Numbers and tables for people. */

const WHOLE = new Intl.NumberFormat('en-US');

/** @returns a whole number with separators of thousands. */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** @returns a duration, as precise as it is interesting: `850 ms`, `4.1 s`, `74 s`, `3 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** @returns the share of calls that were not made, in percent. */
export function saved(made: number, alone: number): string {
  return alone === 0 ? '-' : `${((1 - made / alone) * 100).toFixed(1)} %`;
}

/**
 * @param rows the first is the head; a cell that begins with a digit or `-` stands at the right
 * @returns lines of equal columns
 */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const numeric = widths.map((_, column) => rows.slice(1).every((row) => /^[-\d]/.test(row[column] ?? '-')));
  const lines = rows.map((row) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        return numeric[column] === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [...lines.slice(0, 1), rule, ...lines.slice(1)];
}
