/** A limit as AWS's own: `burst` calls at once, `perSecond` more each second. */
export interface Limit {
  readonly perSecond: number;
  readonly burst: number;
}

/** AWS's defaults for the two operations that everybody polls, per account and Region. */
export const AWS_LIMITS: Readonly<Record<string, Limit>> = {
  DescribeStep: { perSecond: 0.5, burst: 10 },
  ListSteps: { perSecond: 0.5, burst: 10 },
};

export class TokenBucket {
  readonly #limit: Limit;
  #tokens: number;
  #at: number;

  /** @param now epoch ms; the bucket is full then. */
  constructor(limit: Limit, now: number) {
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#at = now;
  }

  /** @returns whether the call at `now` (epoch ms) is within the limit; if so it has been counted. */
  take(now: number): boolean {
    const refill = (Math.max(0, now - this.#at) / 1_000) * this.#limit.perSecond;
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + refill);
    this.#at = Math.max(this.#at, now);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
