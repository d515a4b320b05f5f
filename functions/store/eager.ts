import type { Cadence } from '../core/target.ts';

/**
 * What a target's cadence becomes when a joiner comes (DESIGN, section 4): the smallest constant interval; exponential only
 * while every member is; an exponential member among constant ones counts with its max_wait, where it has one.
 * @returns undefined where the standing cadence serves the joiner already
 */
export function moreEager(standing: Cadence, joiner: Cadence): Cadence | undefined {
  const merged = merge(standing, joiner);
  const same =
    merged.poke_interval === standing.poke_interval &&
    merged.exponential === standing.exponential &&
    merged.max_wait === standing.max_wait;
  return same ? undefined : merged;
}

function merge(a: Cadence, b: Cadence): Cadence {
  if (!a.exponential || !b.exponential) return { poke_interval: Math.min(longest(a), longest(b)), exponential: false };
  const poke_interval = Math.min(a.poke_interval, b.poke_interval);
  const max_wait = Math.min(longest(a), longest(b));
  return { poke_interval, exponential: true, ...(Number.isFinite(max_wait) ? { max_wait } : {}) };
}

/** The longest that a cadence lets its members wait between two pokes. */
function longest({ poke_interval, exponential, max_wait }: Cadence): number {
  return exponential ? (max_wait ?? Number.POSITIVE_INFINITY) : poke_interval;
}
