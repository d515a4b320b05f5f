/** Numbers, times and tasks in words. */
import type { State } from '../functions/core/task.ts';
import type { Out } from './output.ts';

const WHOLE = new Intl.NumberFormat('en-US');

/** @returns a whole number with separators of thousands. */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** @returns `1 task`, `1,203 tasks`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** @returns a duration in its two largest units: `6 d 23 h`, `3 min 5 s`, `12 s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  if (first === -1) return '0 s';
  let rest = seconds;
  const parts: string[] = [];
  for (const [name, size] of UNITS.slice(first, first + 2)) {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    if (whole > 0) parts.push(`${whole} ${name}`);
  }
  return parts.join(' ');
}

/** @returns an instant seen from now: `in 12 s`, `3 min ago`. */
export function fromNow(instant: string, now: number): string {
  const ms = Date.parse(instant) - now;
  if (Math.abs(ms) < 500) return 'now';
  return ms > 0 ? `in ${duration(ms)}` : `${duration(-ms)} ago`;
}

/** @returns a sensor in a line: `s3_key bucket=landing key=in/a.csv`. */
export function sensorWords({ type, ...fields }: { readonly type: string; readonly [field: string]: unknown }): string {
  // What is not asked for is not worth a word.
  const given = Object.entries(fields).filter(([, value]) => value !== false);
  const words = given.map(([name, value]) => {
    const text = typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value);
    return `${name}=${text.length > 80 ? `${text.slice(0, 79)}…` : text}`;
  });
  return [type, ...words].join(' ');
}

/** @returns a state in its colour. */
export function stateWords(state: State, { colours }: Pick<Out, 'colours'>): string {
  switch (state) {
    case 'success':
      return colours.green(state);
    case 'failed':
      return colours.red(state);
    case 'skipped':
    case 'removed':
      return colours.dim(state);
    case 'up_for_retry':
      return colours.yellow(state);
    case 'sensing':
    case 'deferred':
    case 'queued':
    case 'running':
    case 'up_for_reschedule':
      return colours.cyan(state);
  }
}
