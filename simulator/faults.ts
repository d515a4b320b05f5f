/** Injected faults: what a call meets, by service, operation and time. */
import { newBucket, take } from '../functions/core/budget.ts';
import type { Bucket } from '../functions/core/budget.ts';
import type { Random } from '../functions/ports.ts';
import type { Fault } from './format.ts';
import type { FunctionName } from './life.ts';

/**
 * What happens to one attempt of a call. `crash`: its invocation dies before it; `last`: the call is made, and its
 * invocation dies before it hears the answer.
 */
export type Fate =
  | { readonly kind: 'ok' | 'hang' | 'lost_answer' | 'crash' | 'last' }
  | { readonly kind: 'error'; readonly error: string };

export interface Faults {
  /** @returns the fate of an attempt that is made now. */
  fate(service: string, operation: string): Fate;
  /** @returns the indexes' lag now, ms. */
  indexLagMs(): number;
  /** @returns by how much a function's clock is wrong now, ms. */
  skewMs(name: FunctionName): number;
  /** @returns whether the schedule fires now. */
  ticks(): boolean;
}

type Windowed = Extract<Fault, { from: number }>;

/** What each service answers when it throttles. */
const THROTTLE: Readonly<Record<string, string>> = { s3: 'SlowDown', emr: 'ThrottlingException' };

/**
 * @param faults of the scenario
 * @param elapsedMs since the scenario's start, now
 * @param random for shares
 */
export function createFaults(faults: readonly Fault[], elapsedMs: () => number, random: Random): Faults {
  const windowed = faults.filter((fault): fault is Windowed => 'from' in fault);
  const buckets = new Map<Fault, Bucket>();
  const seconds = new Map<Fault, { second: number; calls: number }>();

  const open = (): readonly Windowed[] => {
    if (windowed.length === 0) return windowed;
    const at = elapsedMs() / 1000;
    return windowed.filter(({ from, to }) => at >= from && at < to);
  };
  const meets = (fault: { share?: number | undefined }) => fault.share === undefined || random() < fault.share;

  function overRate(fault: Windowed): boolean {
    if ('refill' in fault) {
      const now = elapsedMs();
      const bucket = buckets.get(fault) ?? newBucket({ rate: fault.refill, burst: fault.burst }, now);
      const { bucket: left, waitMs } = take(bucket, now, 1);
      // A refused call takes nothing.
      buckets.set(fault, waitMs > 0 ? { ...left, tokens: left.tokens + 1 } : left);
      return waitMs > 0;
    }
    if (!('calls_per_second' in fault)) return false;
    const second = Math.floor(elapsedMs() / 1000);
    const seen = seconds.get(fault);
    const calls = (seen?.second === second ? seen.calls : 0) + 1;
    seconds.set(fault, { second, calls });
    return calls > fault.calls_per_second;
  }

  return {
    fate(service, operation) {
      for (const fault of open()) {
        if (!('service' in fault) || fault.service !== service) continue;
        if ('operation' in fault && fault.operation !== undefined && fault.operation !== operation) continue;
        if ('hang' in fault) return { kind: 'hang' };
        if ('error' in fault && meets(fault)) return { kind: 'error', error: fault.error };
        if ('lost_answer' in fault && meets(fault)) return { kind: 'lost_answer' };
        if (overRate(fault)) return { kind: 'error', error: THROTTLE[service] ?? 'ThrottlingException' };
      }
      return { kind: 'ok' };
    },
    indexLagMs() {
      const lags = open().flatMap((fault) => ('index_lag' in fault ? [fault.index_lag * 1000] : []));
      return Math.max(0, ...lags);
    },
    skewMs(name) {
      if (windowed.length === 0) return 0;
      const skews = open().flatMap((fault) => ('skew' in fault && fault.skew === name ? [fault.seconds * 1000] : []));
      return skews.reduce((sum, skew) => sum + skew, 0);
    },
    ticks: () => !open().some((fault) => 'drop' in fault),
  };
}
