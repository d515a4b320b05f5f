import { inWords } from './row.ts';
import type { Row, Sheet } from './row.ts';

const HEADING = ['what', 'measured', 'bound', 'must reach', 'ok'];

/** @returns the rows as lines of text, under a heading. */
export function rowsTable(rows: readonly Row[]): readonly string[] {
  const cells = rows.map(({ what, measured, bound, must, ok, isGoal }) => {
    return [what, inWords(measured), bound, must, ok ? 'ok' : isGoal === true ? 'goal, not yet' : 'MISSED'];
  });
  return aligned([HEADING, ...cells], new Set([1]));
}

/** @returns a sheet as lines of text: its title, its heading, its rows; numbers stand to the right. */
export function sheetTable({ title, columns, rows }: Sheet): readonly string[] {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? inWords(cell) : cell)));
  const numeric = columns.flatMap((_, index) => (rows.some((row) => typeof row[index] === 'number') ? [index] : []));
  return [title, ...aligned([columns, ...cells], new Set(numeric)).map((line) => `  ${line}`)];
}

function aligned(lines: readonly (readonly string[])[], toTheRight: ReadonlySet<number>): readonly string[] {
  const columns = Math.max(0, ...lines.map((line) => line.length));
  const widths = Array.from({ length: columns }, (_, index) => {
    return Math.max(...lines.map((line) => line[index]?.length ?? 0));
  });
  return lines.map((line) =>
    line
      .map((cell, index) =>
        toTheRight.has(index) ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
