/** `npm run bench -- [--json] [NAME...]`: runs the lines, prints what they measured beside what they must reach. */
import { parseArgs } from 'node:util';
import type { Line, Outcome } from './row.ts';
import { select } from './select.ts';
import { rowsTable, sheetTable } from './table.ts';

export interface Io {
  readonly print: (line: string) => void;
  /** Told of every line as it begins; not part of the result. */
  readonly note: (line: string) => void;
}

/** @returns the exit code: 0 if every budget is met, 1 if one is missed, 2 where a name selects nothing. */
export async function bench(args: readonly string[], lines: readonly Line[], { print, note }: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  });
  const { chosen, unknown } = select(lines, positionals);
  if (unknown.length > 0) {
    print(`no line is called ${unknown.join(', ')}: there are ${lines.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  const outcomes: (Outcome & { readonly line: string })[] = [];
  for (const line of chosen) {
    note(`${line.name} ...`);
    outcomes.push({ line: line.name, ...(await line.run()) });
  }
  const rows = outcomes.flatMap((outcome) => outcome.rows);
  const sheets = outcomes.flatMap((outcome) => outcome.sheets ?? []);
  const missed = rows.filter(({ ok }) => !ok).length;
  if (values.json) {
    const named = outcomes.flatMap((outcome) => outcome.rows.map((row) => ({ line: outcome.line, ...row })));
    print(JSON.stringify({ rows: named, sheets, missed }, null, 2));
  } else {
    for (const text of rowsTable(rows)) print(text);
    for (const sheet of sheets) for (const text of ['', ...sheetTable(sheet)]) print(text);
    print('');
    print(`${rows.length - missed} of ${rows.length} budgets met`);
  }
  return missed > 0 ? 1 : 0;
}
