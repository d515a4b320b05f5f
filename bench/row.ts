/** What a bench comes to: rows that are held against a budget, and sheets that are there to be read. */

export interface Row {
  readonly what: string;
  readonly measured: number;
  /** What the laws of the matter allow at best (DESIGN, section 10). */
  readonly bound: string;
  readonly must: string;
  readonly ok: boolean;
  /** A goal that is set and need not be met yet: a miss is shown and breaks no budget. Then it becomes an `atMost`. */
  readonly isGoal?: true;
}

/** A table of its own: what stands behind a row, or a comparison. The first column names its line. */
export interface Sheet {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

export interface Outcome {
  readonly rows: readonly Row[];
  readonly sheets?: readonly Sheet[];
}

/** One line of the benchmarks. */
export interface Line {
  /** What selects it; a prefix does too. */
  readonly name: string;
  run(): Promise<Outcome>;
}

/** @returns a row that is met by a number up to a limit; `unit` is for reading (`at most 8 units`). */
export function atMost(what: string, measured: number, limit: number, bound: string, unit = ''): Row {
  return { what, measured, bound, must: `at most ${words(limit, unit)}`, ok: measured <= limit };
}

/** @returns a goal: a row that is met as `atMost` is, but whose miss breaks no budget. */
export function goal(what: string, measured: number, limit: number, bound: string, unit = ''): Row {
  return { ...atMost(what, measured, limit, bound, unit), isGoal: true };
}

/** @returns a row that is met by a number from a limit on. */
export function atLeast(what: string, measured: number, limit: number, bound: string, unit = ''): Row {
  return { what, measured, bound, must: `at least ${words(limit, unit)}`, ok: measured >= limit };
}

/** @returns a row that is met by one number alone. */
export function exactly(what: string, measured: number, wanted: number, bound = String(wanted)): Row {
  return { what, measured, bound, must: words(wanted, ''), ok: measured === wanted };
}

function words(limit: number, unit: string): string {
  return unit === '' ? inWords(limit) : `${inWords(limit)} ${unit}`;
}

/** @returns a number as it is read: thousands apart, no more digits than say something. */
export function inWords(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  const size = Math.abs(value);
  if (size < 100) return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
  return value.toLocaleString('en-US', { maximumFractionDigits: size < 1000 ? 1 : 0 });
}
