import { hash } from 'node:crypto';

/** Values as Python writes them: the jitter formulas hash Airflow's own texts (DESIGN, section 4). */

/** First and last millisecond that Python's datetime knows (years 1 to 9999). */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/**
 * @param epochMs milliseconds; beyond Python's years 1 to 9999 the nearest that it knows.
 * @returns `str()` of the datetime in UTC: `YYYY-MM-DD HH:MM:SS[.ffffff]+00:00`, the fraction only if it is not zero.
 */
export function pythonDatetime(epochMs: number): string {
  return write(Math.floor(epochMs), '');
}

/**
 * @param text an ISO 8601 instant with an offset, or what Python writes; Airflow's dates have microseconds, which epoch
 * milliseconds would lose. Digits beyond them are cut off.
 * @returns the same instant as `pythonDatetime` writes it, or undefined if the text is no instant.
 */
export function pythonDatetimeOfText(text: string): string | undefined {
  const parts = INSTANT.exec(text);
  if (parts === null) return undefined;
  const [, date = '', time = '', fraction = '', offset = ''] = parts;
  const epochMs = Date.parse(`${date}T${time}${offset}`);
  // Date.parse makes March 1 of February 30: what is no day is no instant.
  if (Number.isNaN(epochMs) || new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10) !== date) return undefined;
  return write(epochMs, fraction);
}

/** @returns what an f-string makes of a text that may be missing: `None`. */
export function pythonText(value: string | undefined): string {
  return value ?? 'None';
}

/** @returns `int(sha1(text)) % modulus`, exactly. The modulus is a whole number of at least 1. */
export function sha1Mod(text: string, modulus: number): number {
  return Number(BigInt(`0x${hash('sha1', text)}`) % BigInt(modulus));
}

function write(epochMs: number, fraction: string): string {
  const iso = new Date(Math.min(Math.max(epochMs, FIRST_MS), LAST_MS)).toISOString();
  const microseconds = (fraction === '' ? iso.slice(20, 23) : fraction).padEnd(6, '0').slice(0, 6);
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${microseconds === '000000' ? '' : `.${microseconds}`}+00:00`;
}
