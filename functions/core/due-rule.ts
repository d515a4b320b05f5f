/** Why a poke is due when it is, for people: the same series as in cadence.ts, with what each delay is made of. */
import { nextDue, pokeDelay, pokeBackoff } from './cadence.ts';
import type { Schedule } from './cadence.ts';
import { intervalMs, MAX_DELAY } from './duration.ts';
import { pythonDatetime } from './python.ts';

/** How a due instant came about; durations in seconds, instants epoch ms. */
export type DueRule =
  /** The last look: a millisecond after the deadline, when it ends the wait. */
  | { readonly rule: 'deadline' }
  /** A date that is waited for: nothing is asked before it. */
  | { readonly rule: 'not_before'; readonly at: number }
  /** Every `interval`, `phase` seconds past a multiple of it: different conditions are spread over the interval. */
  | { readonly rule: 'interval'; readonly interval: number; readonly phase: number }
  /** The n-th delay since the start: `base + jitter`, at most `cap` (DESIGN, section 4, "Poke interval"). */
  | {
      readonly rule: 'exponential';
      readonly n: number;
      readonly base: number;
      readonly jitter: number;
      readonly cap: number | null;
      readonly delay: number;
    }
  /** The delays have grown to `max_wait`: every so many seconds from here on. */
  | { readonly rule: 'max_wait'; readonly interval: number };

/** @returns the first due after an instant (epoch ms), and how it came about. */
export function explainDue(schedule: Schedule, afterMs: number): { readonly dueMs: number; readonly how: DueRule } {
  const dueMs = nextDue(schedule, afterMs);
  return { dueMs, how: ruleOf(schedule, dueMs, afterMs) };
}

function ruleOf(schedule: Schedule, dueMs: number, afterMs: number): DueRule {
  const { cadence, deadlineMs, notBeforeMs, phaseMs } = schedule;
  if (dueMs === deadlineMs + 1) return { rule: 'deadline' };
  if (notBeforeMs !== undefined && dueMs === notBeforeMs) return { rule: 'not_before', at: notBeforeMs };
  if (cadence.exponential && notBeforeMs === undefined) return exponentialRule(schedule, afterMs);
  const every = intervalMs(cadence.poke_interval);
  const phase = notBeforeMs === undefined ? phaseMs : notBeforeMs % every;
  return { rule: 'interval', interval: cadence.poke_interval, phase: phase / 1000 };
}

function exponentialRule({ cadence, identity, startMs }: Schedule, afterMs: number): DueRule {
  const cap = cadence.max_wait !== undefined && cadence.max_wait > 0 ? cadence.max_wait : undefined;
  const interval = Math.max(cadence.poke_interval, 1);
  const startedAtText = pythonDatetime(startMs);
  let due = startMs;
  for (let n = 1; pokeBackoff(interval, n) < (cap ?? MAX_DELAY); n += 1) {
    const delay = pokeDelay({ interval, n, identity, startedAtText, maxWait: cap });
    due += intervalMs(delay);
    if (due <= afterMs) continue;
    const base = pokeBackoff(interval, n);
    const jitter = pokeDelay({ interval, n, identity, startedAtText }) - base;
    return { rule: 'exponential', n, base, jitter, cap: cap ?? null, delay };
  }
  return { rule: 'max_wait', interval: cap ?? MAX_DELAY };
}
