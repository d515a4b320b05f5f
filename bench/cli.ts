/** `npm run bench -- [--json] [NAME...]`: runs the lines, prints what they measured beside what they must reach. */
import { readArguments } from '../simulator/arguments.ts';
import type { Line, Outcome } from './row.ts';
import { select } from './select.ts';
import { rowsTable, sheetTable } from './table.ts';

export interface Io {
  readonly print: (line: string) => void;
  /** Told of every line as it begins; not part of the result. */
  readonly note: (line: string) => void;
}

const USAGE = 'usage: npm run bench -- [--json] [NAME...]   (lines whose names begin so; none: all)';

/** @returns the exit code: 0 if every budget is met (goals are not counted), 1 if one is missed, 2 where it cannot be told what is wanted. */
export async function bench(args: readonly string[], lines: readonly Line[], { print, note }: Io): Promise<number> {
  const read = readArguments({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  });
  const names = lines.map(({ name }) => name).join(', ');
  if ('wrong' in read) {
    print(`${read.wrong}; ${USAGE}`);
    return 2;
  }
  const { values, positionals } = read;
  if (values.help) {
    print(USAGE);
    print(`lines: ${names}`);
    return 0;
  }
  const { chosen, unknown } = select(lines, positionals);
  if (unknown.length > 0) {
    print(`no line is called ${unknown.join(', ')}: there are ${names}`);
    return 2;
  }
  const outcomes: (Outcome & { readonly line: string })[] = [];
  for (const line of chosen) {
    note(`${line.name} ...`);
    outcomes.push({ line: line.name, ...(await line.run()) });
  }
  const rows = outcomes.flatMap((outcome) => outcome.rows);
  const sheets = outcomes.flatMap((outcome) => outcome.sheets ?? []);
  const budgets = rows.filter(({ isGoal }) => isGoal !== true);
  const goals = rows.length - budgets.length;
  const missed = budgets.filter(({ ok }) => !ok).length;
  const notYet = rows.filter(({ ok }) => !ok).length - missed;
  if (values.json) {
    const named = outcomes.flatMap((outcome) => outcome.rows.map((row) => ({ line: outcome.line, ...row })));
    print(JSON.stringify({ rows: named, sheets, missed, notYet }, null, 2));
  } else {
    for (const text of rowsTable(rows)) print(text);
    for (const sheet of sheets) for (const text of ['', ...sheetTable(sheet)]) print(text);
    print('');
    print(`${budgets.length - missed} of ${budgets.length} budgets met`);
    if (goals > 0) print(`${goals - notYet} of ${goals} goals reached; a goal that is missed breaks no budget yet`);
  }
  return missed > 0 ? 1 : 0;
}
