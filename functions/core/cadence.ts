/**
 * When a target is poked (DESIGN, section 4, "Poke interval"). The series is a function of its start, so whether a poke is
 * due in a window is computed and nothing is stored. Instants are epoch ms; a window is half-open, `(from, to]`.
 */
import { MAX_DELAY, intervalMs } from './duration.ts';
import { pythonDatetime, sha1Mod } from './python.ts';
import type { Cadence } from './target.ts';

export interface Schedule {
  readonly cadence: Cadence;
  /** What the jitter hashes: `<dag_id>#<task_id>` of a task, the target's key of a target. */
  readonly identity: string;
  /** Of a constant interval: `t = phase mod interval`, see `phaseMs` in identity.ts. */
  readonly phaseMs: number;
  /** Start of the series (`joined_at` of a target, `started_at` of a task): nothing of it is due at or before. */
  readonly startMs: number;
  readonly deadlineMs: number;
  /** A poke before this instant is pointless (datetime sensor): due then, and again every interval. */
  readonly notBeforeMs?: number | undefined;
}

/**
 * The n-th delay of the exponential series, Airflow's formula: `b = max(1, trunc(interval * 2^(n-2)))`, `x = b + H mod b`,
 * `H = int(sha1("<identity>#<startedAtText>#<n>"))`, capped by the remaining time (while there is any), then by maxWait.
 * @returns seconds. Never throws: what overflows is capped.
 */
export function pokeDelay(poke: {
  readonly interval: number;
  /** 1, 2, ... */
  readonly n: number;
  readonly identity: string;
  /** The start as `pythonDatetime` writes it. */
  readonly startedAtText: string;
  /** Seconds to the deadline; 0 and less caps nothing, else the delay would be 0 for ever. */
  readonly remaining?: number | undefined;
  /** Seconds; 0 caps nothing, as in Airflow. */
  readonly maxWait?: number | undefined;
}): number {
  const b = pokeBackoff(poke.interval, poke.n);
  const x = Math.min(b + sha1Mod(`${poke.identity}#${poke.startedAtText}#${poke.n}`, b), MAX_DELAY);
  return Math.min(x, capOf(poke.remaining), capOf(poke.maxWait));
}

/** @returns the due instants of a constant interval in `(from, to]`, ascending, at most `limit`. */
export function constantDues(
  intervalSeconds: number,
  phaseMs: number,
  fromMs: number,
  toMs: number,
  limit = 10_000,
): number[] {
  const every = intervalMs(intervalSeconds);
  return collect((after) => nextInPhase(every, phaseMs, after), fromMs, toMs, limit);
}

/**
 * All dues in `(from, to]`, ascending, at most `limit`. Windows that adjoin give together what their union gives.
 * Whoever pokes ahead of a due must not do so with the last one: it only ends the wait after the deadline.
 */
export function duesIn(schedule: Schedule, fromMs: number, toMs: number, limit: number): number[] {
  return collect(duesOf(schedule), fromMs, toMs, limit);
}

/**
 * The first due strictly after an instant. The deadline is always a due: 1 ms after it, since only `now > deadline` ends a
 * wait; a due that falls (or that the cap by the remaining time puts) on the deadline itself is merged with that one.
 * An exponential series ends there. If the answer was unknown, what remains is to find out: every interval.
 */
export function nextDue(schedule: Schedule, afterMs: number): number {
  return duesOf(schedule)(afterMs);
}

/** Gives the first due after an instant; to be asked with instants that do not go back. */
type Dues = (afterMs: number) => number;

function duesOf(schedule: Schedule): Dues {
  const { cadence, startMs, deadlineMs, notBeforeMs } = schedule;
  const lastMs = deadlineMs + 1;
  const exponential = cadence.exponential && notBeforeMs === undefined;
  const regular = exponential ? exponentialDues(schedule) : constantDuesOf(schedule);
  return (afterMs) => {
    if (exponential && startMs <= deadlineMs && afterMs >= lastMs) {
      return nextInPhase(intervalMs(Math.min(cadence.poke_interval, capOf(cadence.max_wait))), lastMs, afterMs);
    }
    const due = regular(afterMs);
    return afterMs < lastMs && due >= deadlineMs ? lastMs : due;
  };
}

function constantDuesOf({ cadence, phaseMs, startMs, notBeforeMs }: Schedule): Dues {
  const every = intervalMs(cadence.poke_interval);
  if (notBeforeMs === undefined) return (afterMs) => nextInPhase(every, phaseMs, Math.max(afterMs, startMs));
  return (afterMs) => nextInPhase(every, notBeforeMs, Math.max(afterMs, startMs, notBeforeMs - 1));
}

function exponentialDues({ cadence, identity, startMs }: Schedule): Dues {
  const startedAtText = pythonDatetime(startMs);
  const maxWait = Math.min(capOf(cadence.max_wait), MAX_DELAY);
  // Below a second (the schemas' minimum) the series might never grow.
  const interval = Math.max(cadence.poke_interval, 1);
  let due = startMs;
  let n = 1;
  return (afterMs) => {
    const after = Math.max(afterMs, startMs);
    while (due <= after) {
      // From here on every delay is maxWait: a week of capped pokes is arithmetic, not a loop.
      if (pokeBackoff(interval, n) >= maxWait) return nextInPhase(intervalMs(maxWait), due, after);
      due += intervalMs(pokeDelay({ interval, n, identity, startedAtText, maxWait }));
      n += 1;
    }
    return due;
  };
}

/** @returns the base of the n-th delay before its jitter: `max(1, trunc(interval * 2^(n-2)))`, seconds. */
export function pokeBackoff(interval: number, n: number): number {
  const b = Math.trunc(interval * 2 ** (n - 2));
  return b >= 1 ? Math.min(b, MAX_DELAY) : 1;
}

function capOf(seconds: number | undefined): number {
  return seconds !== undefined && seconds > 0 ? seconds : Infinity;
}

/** @returns the first instant strictly after `afterMs` that is congruent to `phaseMs` modulo `every` (all ms). */
function nextInPhase(every: number, phaseMs: number, afterMs: number): number {
  const since = (afterMs - phaseMs) % every;
  return afterMs - since + (since < 0 ? 0 : every);
}

function collect(next: Dues, fromMs: number, toMs: number, limit: number): number[] {
  const dues: number[] = [];
  let at = fromMs;
  while (dues.length < limit) {
    const due = next(at);
    // Not later: numbers so large that a millisecond is lost in them.
    if (!(due > at && due <= toMs)) break;
    dues.push(due);
    at = due;
  }
  return dues;
}
