/**
 * Rate budgets: how many calls a second a queue may make to one AWS API. A budget's name is an API (`s3`) or one of
 * its operations (`emr:ListSteps`), whichever is named for it.
 */

export interface Rate {
  /** Calls per second. */
  readonly rate: number;
  /** Calls at once. */
  readonly burst: number;
}

/** The part of a budget that is kept for first pokes (DESIGN, section 6). */
export const KEPT = 1 / 4;

/**
 * What a queue may call when nobody has configured it. EMR's are the default quotas of an account: each of the
 * operations refills at 0.5 calls per second with a burst of 10 (DESIGN, section 6).
 */
export const DEFAULT_RATES: Readonly<Record<string, Rate>> = {
  s3: { rate: 500, burst: 50 },
  'emr:ListSteps': { rate: 0.5, burst: 10 },
  'emr:DescribeStep': { rate: 0.5, burst: 10 },
  'emr:DescribeCluster': { rate: 0.5, burst: 10 },
};

/** Calls at once that EMR takes of each of its operations. */
const EMR_BURST = 10;

const FALLBACK: Rate = { rate: 50, burst: 10 };

/**
 * @param operation `<api>:<Operation>`
 * @param rates by name
 * @returns the name of the budget that the operation draws on: its own if there is one, else its API's
 */
export function budgetName(operation: string, rates: Readonly<Record<string, unknown>>): string {
  if (operation in rates) return operation;
  const colon = operation.indexOf(':');
  return colon < 0 ? operation : operation.slice(0, colon);
}

/**
 * All budgets of a queue.
 * @param configured calls per second by name, from the queue's settings. Calls are paced, so that no second has more than
 * that; EMR's own buckets take 10 at once, whatever they refill by.
 */
export function ratesOf(configured: Readonly<Record<string, number>>): Readonly<Record<string, Rate>> {
  const own = Object.entries(configured).map(([name, rate]): [string, Rate] => {
    return [name, { rate, burst: name.startsWith('emr') ? EMR_BURST : 1 }];
  });
  return { ...DEFAULT_RATES, ...Object.fromEntries(own) };
}

/** @returns the rate of a name, or the fallback for an API that nobody named. */
export function rateOf(name: string, rates: Readonly<Record<string, Rate>>): Rate {
  return rates[name] ?? FALLBACK;
}

/**
 * All budgets of a queue as they are now.
 * @param lowered the rates of those that throttling has lowered, by name
 */
export function ratesNow(
  configured: Readonly<Record<string, number>>,
  lowered: Readonly<Record<string, number>> = {},
): Readonly<Record<string, Rate>> {
  const current = Object.entries(ratesOf(configured)).map(([name, { rate: limit, burst }]): [string, Rate] => {
    const rate = Math.min(limit, lowered[name] ?? limit);
    // What refills at half the rate has half the burst, but never none.
    return [name, { rate, burst: limit === 0 ? burst : Math.max(1, Math.min(burst, (burst * rate) / limit)) }];
  });
  return Object.fromEntries(current);
}
