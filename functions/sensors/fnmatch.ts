/**
 * Shell patterns as Python's fnmatchcase reads them: `*` any text ("/" too), `?` one character, `[seq]`, `[!seq]`.
 * Own code, since a pattern is a user's: a translation to a RegExp backtracks for ever on `*a*a*a*b`.
 */

/** One place of a pattern: what stands there with a class as `?`, and whether a character (a code point) fits. */
interface Place {
  readonly sign: string;
  readonly fits: (char: string) => boolean;
}

type Run = readonly Place[];

export interface Pattern {
  /** The text before the first special character: every match begins with it. */
  readonly prefix: string;
  /** The pattern in `*` and `?` alone, as IAM knows them: it matches at least what the pattern matches. */
  readonly glob: string;
  matches(text: string): boolean;
}

/** @returns the pattern, ready to match; every text is a pattern. */
export function compile(pattern: string): Pattern {
  const prefix = /^[^*?[]*/u.exec(pattern)?.[0] ?? '';
  const runs = runsOf(Array.from(pattern));
  const glob = runs.map((run) => run.map(({ sign }) => sign).join('')).join('*');
  return { prefix, glob, matches: (text) => matchRuns(runs, Array.from(text)) };
}

/** Cuts a pattern at its stars into runs of places; one run more than stars. */
function runsOf(chars: readonly string[]): readonly Run[] {
  let run: Place[] = [];
  const runs = [run];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at];
    const end = char === '[' ? endOfClass(chars, at) : -1;
    if (char === '*') {
      run = [];
      runs.push(run);
    } else if (char === '?') {
      run.push({ sign: '?', fits: () => true });
    } else if (end > 0) {
      run.push({ sign: '?', fits: classOf(chars.slice(at + 1, end)) });
      at = end;
    } else if (char !== undefined) {
      run.push({ sign: char, fits: (other) => other === char });
    }
  }
  return runs;
}

/** @returns where the class that opens at `at` closes, or -1: then "[" means itself. A "]" at its head is a member. */
function endOfClass(chars: readonly string[], at: number): number {
  const head = chars[at + 1] === '!' ? at + 2 : at + 1;
  return chars.indexOf(']', chars[head] === ']' ? head + 1 : head);
}

function classOf(body: readonly string[]): Place['fits'] {
  const negated = body[0] === '!';
  const ranges: (readonly [number, number])[] = [];
  for (let at = negated ? 1 : 0; at < body.length;) {
    const isRange = body[at + 1] === '-' && at + 2 < body.length;
    ranges.push([codeOf(body[at]), codeOf(body[isRange ? at + 2 : at])]);
    at += isRange ? 3 : 1;
  }
  return (char) => ranges.some(([low, high]) => low <= codeOf(char) && codeOf(char) <= high) !== negated;
}

function codeOf(char: string | undefined): number {
  return char?.codePointAt(0) ?? -1;
}

/**
 * The first run stands at the beginning, the last at the end, and each one between is taken where it first fits: a later
 * place would leave less room for the rest. So nothing is ever taken back, and the time is at most text times pattern.
 */
function matchRuns(runs: readonly Run[], text: readonly string[]): boolean {
  const first = runs[0] ?? [];
  const last = runs.at(-1) ?? [];
  if (runs.length === 1) return text.length === first.length && fits(first, text, 0);
  const end = text.length - last.length;
  if (first.length > end || !fits(first, text, 0) || !fits(last, text, end)) return false;
  let at = first.length;
  for (const run of runs.slice(1, -1)) {
    while (at + run.length <= end && !fits(run, text, at)) at += 1;
    at += run.length;
    if (at > end) return false;
  }
  return true;
}

function fits(run: Run, text: readonly string[], from: number): boolean {
  return run.every((place, offset) => {
    const char = text[from + offset];
    return char !== undefined && place.fits(char);
  });
}
