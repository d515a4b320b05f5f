import { hash } from 'node:crypto';
import { intervalMs } from './duration.ts';
import { canonicalJson } from './json.ts';
import type { TargetId } from './target.ts';
import type { SensorSpec } from './task.ts';

/** Version of the scheme below: part of what is hashed, so that a new scheme never meets an old hashcode. */
const SCHEME = '1';

/**
 * What makes two waits the same work (DESIGN, section 1): the sensor's type and its normalised poke context.
 * @returns hashcode: the first 63 bits of the SHA-256 as an unsigned decimal text; full_hash: all 256 bits in hex.
 * @throws TypeError naming the field that cannot be written as JSON.
 */
export function identify(sensor: SensorSpec): { readonly hashcode: string; readonly full_hash: string } {
  const { type, ...context } = sensor;
  const digest = sha256(`${SCHEME}\n${type}\n${canonicalJson(context)}`);
  return { hashcode: first63Bits(digest), full_hash: digest.toString('hex') };
}

/** @returns a hashcode for any text; external tasks share nothing and hash their id. */
export function hashcodeOfText(text: string): string {
  return first63Bits(sha256(text));
}

/** @returns hashcode mod upperLimit, in [0, upperLimit). The 63 bits are more than a number holds: hence BigInt. */
export function shardcode(hashcode: string, upperLimit: number): number {
  return Number(BigInt(hashcode) % BigInt(upperLimit));
}

/** @returns `<queue>#<mode>#<hashcode>`. */
export function targetKey(id: TargetId): string {
  return `${id.queue}#${id.mode}#${id.hashcode}`;
}

/**
 * Where in its interval a target is due: spreads equal intervals evenly, puts what has one key into the same
 * millisecond (also at intervals of which one is a multiple of the other).
 * @returns milliseconds in [0, interval).
 */
export function phaseMs(hashOrBatchKey: string, intervalSeconds: number): number {
  return spreadOf(hashOrBatchKey) % intervalMs(intervalSeconds);
}

/** A worker asks for each target's phase several times a tick, a night in the simulator 1,500 times. */
const spreads = new Map<string, number>();
const MOST_SPREADS = 20_000;

function spreadOf(text: string): number {
  const known = spreads.get(text);
  if (known !== undefined) return known;
  const spread = sha256(text).readUIntBE(0, 6);
  if (spreads.size >= MOST_SPREADS) spreads.clear();
  spreads.set(text, spread);
  return spread;
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function first63Bits(digest: Buffer): string {
  return String(digest.readBigUInt64BE(0) >> 1n);
}

/** @returns what tells a token from all others without being of any use to whoever reads it. */
export function tokenDigest(token: string): string {
  return sha256(token).toString('hex').slice(0, 32);
}
