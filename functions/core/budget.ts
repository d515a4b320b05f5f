/** Rate budgets (DESIGN, section 6): a token bucket as an immutable value, and the rule by which its rate moves. */

export interface Bucket {
  /** Tokens per second. */
  readonly rate: number;
  /** The most that it holds. */
  readonly burst: number;
  /** As of `at`; below 0 are calls that were promised and have to wait. */
  readonly tokens: number;
  /** Epoch ms. */
  readonly at: number;
}

/** @returns a full bucket. */
export function newBucket({ rate, burst }: Pick<Bucket, 'rate' | 'burst'>, now: number): Bucket {
  return { rate, burst, tokens: burst, at: now };
}

/**
 * Takes n tokens at once, also ones that are not there yet: who asks first is served first.
 * @returns the bucket after it, and after how many ms the n tokens are there (Infinity where the rate is 0). Whoever
 * cannot wait that long gives them back with `refund`.
 */
export function take(bucket: Bucket, now: number, n: number): { readonly bucket: Bucket; readonly waitMs: number } {
  const filled = fill(bucket, now);
  const tokens = filled.tokens - n;
  // From filled.at and not from now: where the clock went back, the tokens come no sooner.
  const waitMs = tokens >= 0 ? 0 : Math.ceil((-tokens / bucket.rate) * 1000) + Math.max(0, filled.at - now);
  return { bucket: { ...filled, tokens }, waitMs };
}

/** @returns the bucket with n tokens back that were taken and not used. */
export function refund(bucket: Bucket, n: number): Bucket {
  return { ...bucket, tokens: Math.min(bucket.burst, bucket.tokens + n) };
}

function fill(bucket: Bucket, now: number): Bucket {
  if (now <= bucket.at) return bucket;
  const earned = ((now - bucket.at) / 1000) * bucket.rate;
  return { ...bucket, tokens: Math.min(bucket.burst, bucket.tokens + earned), at: now };
}

/** The floor of a throttled rate, and its growth in a tick, as shares of the limit. */
const FLOOR = 1 / 64;
const GROWTH = 1 / 10;

/**
 * The rate of the next tick, calls per second: halved by throttling (never below 1/64 of the limit), else grown back by a
 * tenth of the limit, up to it.
 */
export function nextRate(tick: {
  readonly current: number;
  readonly limit: number;
  readonly throttled: boolean;
}): number {
  const { current, limit, throttled } = tick;
  const moved = throttled ? current / 2 : current + limit * GROWTH;
  return Math.min(limit, Math.max(limit * FLOOR, moved));
}
