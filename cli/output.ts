/** What commands print: lines and tables for people, JSON for programs. */
import Table from 'cli-table3';
import pc from 'picocolors';
import type { Io, Output } from './io.ts';

type Colours = ReturnType<typeof pc.createColors>;

export interface Out {
  readonly json: boolean;
  readonly colours: Colours;
  /** A line for people on standard output. */
  readonly line: (text?: string) => void;
  /** One JSON document: pretty for a terminal, else on one line. */
  readonly document: (value: unknown) => void;
  /** One line of JSON lines. */
  readonly record: (value: unknown) => void;
  /** Columns without borders. @param head names of the columns */
  readonly table: (head: readonly string[], rows: readonly (readonly string[])[]) => void;
  /** A line on standard error. */
  readonly note: (text: string) => void;
}

/** Colours are for terminals, and for nobody who has said NO_COLOR (no-color.org). */
export function coloursFor(stream: Output, env: Io['env']): Colours {
  const wanted = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return pc.createColors(wanted);
}

const NO_BORDERS = Object.fromEntries(
  'top,top-mid,top-left,top-right,bottom,bottom-mid,bottom-left,bottom-right,left,left-mid,mid,mid-mid,right,right-mid'
    .split(',')
    .map((name) => [name, '']),
);

/** @returns lines of equal columns, two blanks apart. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const table = new Table({
    head: [...head],
    chars: { ...NO_BORDERS, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

export function createOut({ stdout, stderr, env }: Io, json: boolean): Out {
  const colours = coloursFor(stdout, env);
  const line = (text = ''): void => void stdout.write(`${text}\n`);
  return {
    json,
    colours,
    line,
    document: (value) => line(JSON.stringify(value, null, stdout.isTTY === true ? 2 : undefined)),
    record: (value) => line(JSON.stringify(value)),
    table(head, rows) {
      for (const text of tableLines(
        head.map((name) => colours.bold(name)),
        rows,
      ))
        line(text);
    },
    note: (text) => void stderr.write(`${text}\n`),
  };
}
