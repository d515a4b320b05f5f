import { EmrFault, throttled } from './fault.ts';
import { type Fault, limitOf, type Script } from './script.ts';
import { type Limit, TokenBucket } from './token-bucket.ts';

/** How many calls of an operation came, and how they were answered. */
export interface Count {
  calls: number;
  throttled: number;
  /** Answered with an error other than throttling, injected ones included. */
  failed: number;
}

/** What stands before every operation: counts, injected faults and rate limits. */
export class Gate {
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #counts = new Map<string, Count>();
  #faults: (Fault & { left: number })[] = [];

  constructor(limits: Readonly<Record<string, Limit>>, now: number) {
    for (const [operation, limit] of Object.entries(limits)) this.#buckets.set(operation, new TokenBucket(limit, now));
  }

  script({ limits, faults }: Script, now: number): void {
    for (const [operation, limit] of Object.entries(limits)) {
      if (limit === null) this.#buckets.delete(operation);
      else this.#buckets.set(operation, new TokenBucket(limitOf(limit), now));
    }
    this.#faults.push(...faults.map((fault) => ({ ...fault, left: fault.times })));
  }

  /** Lets one call through, or answers in its place. @throws EmrFault (throttled, or what a script injected). */
  pass<Answer>(operation: string, now: number, answer: () => Answer): Answer {
    const count = this.#count(operation);
    count.calls += 1;
    if (this.#buckets.get(operation)?.take(now) === false) {
      count.throttled += 1;
      throw throttled();
    }
    try {
      this.#failAsScripted(operation);
      return answer();
    } catch (error) {
      count.failed += 1;
      throw error;
    }
  }

  counts(): Readonly<Record<string, Readonly<Count>>> {
    return Object.fromEntries([...this.#counts].map(([operation, count]) => [operation, { ...count }]));
  }

  #failAsScripted(operation: string): void {
    const fault = this.#faults.find((one) => one.operation === operation);
    if (fault === undefined) return;
    fault.left -= 1;
    this.#faults = this.#faults.filter((one) => one.left > 0);
    throw new EmrFault(fault.type, fault.message, fault.status);
  }

  #count(operation: string): Count {
    const count = this.#counts.get(operation) ?? { calls: 0, throttled: 0, failed: 0 };
    this.#counts.set(operation, count);
    return count;
  }
}
