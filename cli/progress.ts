/** How far it is: in place on a terminal, a plain line every so often elsewhere. */
import type { Io } from './io.ts';
import { count } from './words.ts';

export interface Progress {
  at(done: number, more?: string): void;
  /** Takes the line away. */
  end(): void;
}

/** Between two plain lines, and between two redraws, ms. */
const PLAIN_MS = 10_000;
const REDRAW_MS = 100;

const CLEAR_LINE = '\r\u001B[K';

/** @param total undefined: nobody knows yet */
export function createProgress({ stderr, now }: Io, label: string, total?: number): Progress {
  const live = stderr.isTTY === true;
  const every = live ? REDRAW_MS : PLAIN_MS;
  let last = live ? 0 : now();
  let drawn = false;
  return {
    at(done, more = '') {
      if (now() - last < every) return;
      last = now();
      const text = `${label}: ${count(done)}${total === undefined ? '' : ` of ${count(total)}`}${more}`;
      stderr.write(live ? `${CLEAR_LINE}${text}` : `${text}\n`);
      drawn = true;
    },
    end() {
      if (live && drawn) stderr.write(CLEAR_LINE);
    },
  };
}
