/** How long a call may take. All calls of a run have the same limit, so that they expire in the order of their start. */
import type { Clock } from '../ports.ts';
import { BudgetSpent, PokeTimeout } from '../sensors/sensor.ts';

export interface Expiry {
  /** Makes a call that is abandoned when it takes too long; what it still answers is not heard. */
  readonly bounded: <Answer>(operation: string, send: () => Promise<Answer>) => Promise<Answer>;
  /** The run makes no more calls: nothing is watched any more. */
  readonly close: () => void;
}

interface Call {
  readonly endsAt: number;
  readonly expire: () => void;
}

/**
 * @param limitMs how long a call may take: then it counts as unknown
 * @param endBy when the run itself is over, epoch ms: a call that has not answered by then counts as not made
 *
 * One sleep at a time watches the oldest call: a timer and its signal for each call are a good part of what a poke costs.
 * It is called off when the last one has answered, but for a run that has an end: that makes calls all the time, and is
 * closed.
 */
export function createExpiry(clock: Clock, limitMs: number, endBy = Number.POSITIVE_INFINITY): Expiry {
  /** In the order of their start. */
  const calls = new Set<Call>();
  let watch: AbortController | undefined;

  async function watchOldest({ signal }: AbortController): Promise<void> {
    for (let [oldest] = calls; oldest !== undefined; [oldest] = calls) {
      // A clock that is set back meanwhile gives nobody more time than this.
      const leftMs = Math.min(oldest.endsAt - clock.now(), limitMs);
      if (leftMs > 0) await clock.sleep(leftMs, signal);
      if (signal.aborted) return;
      if (calls.delete(oldest)) oldest.expire();
    }
    watch = undefined;
  }

  function begin(call: Call): void {
    calls.add(call);
    if (watch !== undefined) return;
    watch = new AbortController();
    void watchOldest(watch);
  }

  function close(): void {
    watch?.abort(ANSWERED);
    watch = undefined;
  }

  function end(call: Call): void {
    if (calls.delete(call) && calls.size === 0 && !Number.isFinite(endBy)) close();
  }

  async function bounded<Answer>(operation: string, send: () => Promise<Answer>): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const lastsUntil = clock.now() + limitMs;
    const isCut = lastsUntil > endBy;
    const expire = (): void => {
      const late = isCut ? 'had no answer when the run ended' : `took longer than ${limitMs / 1000} s`;
      reject(isCut ? new BudgetSpent(`${operation} ${late}`) : new PokeTimeout(`${operation} ${late}`));
    };
    const call = { endsAt: Math.min(lastsUntil, endBy), expire };
    begin(call);
    try {
      send().then(resolve, reject);
      return await promise;
    } finally {
      end(call);
    }
  }

  return { bounded, close };
}

/** Why a sleep ends. Given, so that no error is made up, with a stack. */
const ANSWERED = 'answered';
