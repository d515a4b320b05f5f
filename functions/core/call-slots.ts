/**
 * When the calls of a rate budget may be made, whoever makes them (docs/adr/0016). Pure; instants are epoch ms.
 *
 * A small budget is *pooled*: each call is booked in one record, as a token bucket whose fill is an instant, the one up to
 * which calls are booked. A larger one is *paced*: three quarters of its instants belong to the shards, by turns, and
 * whoever holds a shard's lease holds its instants, which nobody has to write down; the last quarter is booked.
 */
import { KEPT } from './rates.ts';
import type { Rate } from './rates.ts';

/** Up to so many calls a second each call of a tick may cost a write. */
const POOLED_RATE = 2;

/** @returns whether the calls of a budget are booked one by one. */
export function isPooled({ rate }: Pick<Rate, 'rate'>): boolean {
  return rate <= POOLED_RATE;
}

/** @returns the two parts of a paced rate, calls a second: together never more than it in any second. */
export function lanesOf({ rate }: Pick<Rate, 'rate'>): { readonly leased: number; readonly booked: number } {
  const booked = Math.ceil(rate * KEPT);
  return { leased: Math.max(0, Math.floor(rate) - booked), booked };
}

/** How calls are booked: one every so many ms, and so many at once where none was made for long. */
export interface Spacing {
  readonly everyMs: number;
  readonly burst: number;
}

/**
 * @param first whether it is for a first poke: it may use what is kept
 * @returns the spacing of a pooled budget. One call of a burst stays unused, for clocks that differ and calls that are
 * made later than they were booked for.
 */
export function pooledSpacing({ rate, burst }: Rate, first: boolean): Spacing {
  const whole = Math.max(1, Math.floor(burst) - 1);
  return { everyMs: 1000 / rate, burst: first ? whole : Math.max(1, whole - Math.floor(burst * KEPT)) };
}

/** @returns the spacing of the part of a paced budget that is booked. */
export function bookedSpacing(rate: Pick<Rate, 'rate'>): Spacing {
  return { everyMs: 1000 / lanesOf(rate).booked, burst: 1 };
}

/** @returns the instants of so many calls that were booked from an instant on; none before now. */
export function bookedSlots({ everyMs, burst }: Spacing, from: number, calls: number, now: number): number[] {
  return Array.from({ length: calls }, (_, index) => Math.max(now, Math.floor(from + (index + 1 - burst) * everyMs)));
}

/** @returns up to which instant calls may be booked, where the last of them has to be made by `latest`. */
export function bookableUntil({ everyMs, burst }: Spacing, latest: number): number {
  return latest + burst * everyMs;
}

/** What a worker holds of a paced budget: the instants of the shards whose leases it has. */
export interface Lease {
  /** Calls a second of all shards. */
  readonly rate: number;
  readonly shards: number;
  readonly owned: ReadonlySet<number>;
}

/** An instant of a paced budget, by its number since 1970. */
export interface Slot {
  readonly number: number;
  readonly at: number;
}

/**
 * @param after the last slot that was used
 * @returns the next one of the worker's shards, not before now; undefined: it has none
 */
export function leasedSlot({ rate, shards, owned }: Lease, now: number, after?: Slot): Slot | undefined {
  if (rate <= 0 || owned.size === 0) return undefined;
  const first = Math.max(Math.ceil((now * rate) / 1000), (after?.number ?? -1) + 1);
  const step = strideOf(shards);
  for (let number = first; number < first + shards; number += 1) {
    if (owned.has(((number % shards) * step) % shards)) {
      return { number, at: Math.max(now, Math.floor((number * 1000) / rate)) };
    }
  }
  return undefined;
}

/** Shards take turns in strides, so that the instants of neighbours, which one worker has, lie apart. */
function strideOf(shards: number): number {
  let stride = Math.max(1, Math.round(shards * 0.618));
  while (gcd(stride, shards) !== 1) stride += 1;
  return stride;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
