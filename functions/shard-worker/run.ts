/** One run of a worker: its clock limits, its calls within the rate budgets, and what it counts. */
import pLimit from 'p-limit';
import type { Observation } from '../core/observation.ts';
import type { ShardStatistics } from '../core/queue.ts';
import { counted } from '../metrics.ts';
import type { Metrics } from '../metrics.ts';
import type { Clock } from '../ports.ts';
import { isThrottled } from '../sensors/aws-errors.ts';
import { BudgetSpent } from '../sensors/sensor.ts';
import type { PokeIo } from '../sensors/sensor.ts';
import { onceMoreIfStale } from '../sensors/stale-connection.ts';
import type { CallBudget } from './call-budget.ts';
import { createExpiry } from './expiry.ts';
import { createLag } from './lag.ts';
import type { Lag } from './lag.ts';

/** Pokes in flight of one worker: more only queue (docs/facts.md). Most sensors make one call after another. */
const CONCURRENCY = 32;

/** A worker starts nothing later than this in its run: spread over more of the minute, its pokes have a lower peak. */
export const START_LIMIT_MS = 54_000;

export type Counts = {
  -readonly [
    name in keyof Omit<ShardStatistics, 'at' | 'worker' | 'throttled_by' | 'calls_saved' | 'poke_lag_ms'>
  ]: number;
};

/** What the run did for less than it would have taken a sensor for each task. */
interface Shared {
  /** Pokes that were answered by somebody outside. */
  answered: number;
  /** Tasks that were told by the poke of another, as far as the members were read. */
  members: number;
}

export interface Run {
  readonly startedAt: number;
  /** Nothing starts later, epoch ms. */
  readonly startBy: number;
  readonly io: PokeIo;
  /** @returns the same for one poke. @param spent told when a call found no room in its budget, or no answer before the run's end */
  readonly ioOf: (spent: () => void) => PokeIo;
  readonly counts: Counts;
  readonly shared: Shared;
  readonly lag: Lag;
  readonly throttledBy: Record<string, number>;
  /** Runs work with a bounded number in flight. */
  readonly limit: <Answer>(work: () => Promise<Answer>) => Promise<Answer>;
  /** Announces a poke that makes calls of an operation (undefined: none): its first call is booked along with others. */
  readonly expect: (operation: string | undefined) => void;
  /**
   * Runs a poke that makes calls of an operation (undefined: none), within the limit. Of a budget that has room for few
   * calls only so many pokes go on at once as it can finish: else each would make its first call and none its last.
   */
  readonly poke: <Answer>(operation: string | undefined, work: () => Promise<Answer>) => Promise<Answer>;
  /** A run that was given its end makes no more calls. */
  readonly close: () => void;
}

/** Operations that change nothing: they may be sent once more. */
const READS = /:(Describe|Head|List)/;

/** So many calls a poke may need: the keys of a sensor, the pages of a cluster. */
const CALLS_A_POKE = 8;

/**
 * @param clock time
 * @param budget what it may call, and when
 * @param pokeTimeoutMs how long one call may take before it counts as unknown
 * @param startBy after which instant (epoch ms) nothing starts, asked for at every call. @default 54 s after the run's start
 * @param endBy when the run is over, epoch ms: what has not answered by then was not poked. @default never
 */
export function createRun(
  clock: Clock,
  budget: CallBudget,
  pokeTimeoutMs: number,
  startBy?: () => number,
  endBy?: number,
): Run {
  const startedAt = clock.now();
  const latest = startBy ?? (() => startedAt + START_LIMIT_MS);
  const counts: Counts = {
    targets: 0,
    pokes: 0,
    calls: 0,
    met: 0,
    unknown: 0,
    throttled: 0,
    ended: 0,
    started: 0,
    poison: 0,
  };
  const throttledBy: Record<string, number> = {};
  const asked = new Map<string, Promise<Observation | undefined>>();
  const limit = pLimit(CONCURRENCY);
  const { bounded, close } = createExpiry(clock, pokeTimeoutMs, endBy);
  const lanes = new Map<string, typeof limit>();

  /** The limit of pokes whose calls draw on an operation's budget; by the order in which they come. */
  function laneOf(operation: string): typeof limit {
    const name = budget.nameOf(operation);
    const known = lanes.get(name);
    if (known !== undefined) return known;
    const pokes = Math.floor(budget.callsIn(operation, START_LIMIT_MS) / CALLS_A_POKE);
    const lane = pokes >= CONCURRENCY ? limit : pLimit(Math.max(1, pokes));
    lanes.set(name, lane);
    return lane;
  }

  function poke<Answer>(operation: string | undefined, work: () => Promise<Answer>): Promise<Answer> {
    const lane = operation === undefined ? limit : laneOf(operation);
    return lane === limit ? limit(work) : lane(() => limit(work));
  }

  async function call<Answer>(operation: string, send: () => Promise<Answer>): Promise<Answer> {
    counts.calls += 1;
    try {
      return await bounded(operation, send);
    } catch (error) {
      if (isThrottled(error)) {
        const name = budget.nameOf(operation);
        counts.throttled += 1;
        throttledBy[name] = (throttledBy[name] ?? 0) + 1;
      }
      throw error;
    }
  }

  function once(key: string, ask: () => Promise<Observation | undefined>): Promise<Observation | undefined> {
    const known = asked.get(key);
    if (known !== undefined) return known;
    const answer = ask();
    asked.set(key, answer);
    return answer;
  }

  const ioOf: Run['ioOf'] = (spent) => ({
    now: () => clock.now(),
    async call(operation, send) {
      const attempt = async () => {
        // Waits for the instant of the call as long as the run may still start something.
        const at = await budget.slot(operation, latest());
        const waitMs = (at ?? 0) - clock.now();
        if (waitMs > 0) await clock.sleep(waitMs);
        if (at === undefined) throw new BudgetSpent(`no room for ${operation} in this run`);
        return call(operation, send);
      };
      try {
        return await (READS.test(operation) ? onceMoreIfStale(attempt) : attempt());
      } catch (error) {
        if (error instanceof BudgetSpent) spent();
        throw error;
      }
    },
    once,
  });
  const shared = { answered: 0, members: 0 };
  return {
    startedAt,
    startBy: latest(),
    io: ioOf(() => undefined),
    ioOf,
    counts,
    shared,
    lag: createLag(startedAt),
    throttledBy,
    limit,
    expect: (operation) => (operation === undefined ? undefined : budget.expect(operation, 1)),
    poke,
    close,
  };
}

/** @returns how many calls a sensor for each task would have made besides. */
export function callsSaved({ counts, shared }: Pick<Run, 'counts' | 'shared'>): number {
  return Math.max(0, shared.answered + shared.members - counts.calls);
}

/** @returns what a run that has a line of its own did, as metrics. */
export function runMetrics(run: Pick<Run, 'counts' | 'shared'>): Metrics {
  const { pokes, calls, met, unknown, throttled, poison } = run.counts;
  return counted({ pokes, calls, calls_saved: callsSaved(run), met, unknown, throttled, poison });
}

/** @returns whether something happened that operators want to know of a run that is one poke and has no line. */
export function isRemarkable({ counts }: Pick<Run, 'counts'>): boolean {
  return counts.throttled + counts.poison > 0;
}
