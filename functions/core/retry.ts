/** Retry rules (DESIGN, section 4, "Eligibility" and "Retry delay"); the formulas are Airflow 3's. */
import { pythonText, sha1Mod } from './python.ts';
import type { Coordinates, ExecutionContext, Task } from './task.ts';

/** An exponential delay ends at 24 hours, before max_retry_delay. Seconds. */
const MAX_RETRY_DELAY = 86_400;

/** @returns whether a failed try is followed by another. `restarting` is an input of the rule, not a state. */
export function isEligible(
  task: Pick<Task, 'try_number' | 'max_tries'> & { readonly restarting?: boolean | undefined },
): boolean {
  return task.restarting === true || (task.max_tries !== 0 && task.try_number <= task.max_tries);
}

/** Seconds: `delay = min(base + jitter, cap)`. A constant delay has no cap. */
export interface RetryDelay {
  readonly base: number;
  readonly jitter: number;
  readonly delay: number;
  readonly cap?: number;
}

/**
 * How long after the end of a try the next one starts. Exponential: `b = max(1, ceil(delay * factor^(try_number-1)))`,
 * `d = b + H mod b`, `H = int(sha1("<dag_id>#<task_id>#<logical_date>#<try_number>"))`, capped by 24 h and then by
 * max_retry_delay. A factor of 0 or 1 means constant: retry_delay as it is, no jitter, and neither cap (Airflow 3 caps
 * inside its exponential branch only). Never throws: a base that overflows is 24 h.
 */
export function retryDelay(retry: {
  readonly retry_delay: number;
  readonly factor: ExecutionContext['retry_exponential_backoff'];
  readonly max_retry_delay?: number | undefined;
  readonly coordinates: Coordinates;
  readonly try_number: number;
}): RetryDelay {
  const { retry_delay, factor, max_retry_delay, coordinates, try_number } = retry;
  if (factor <= 0 || factor === 1) return { base: retry_delay, jitter: 0, delay: retry_delay };
  const b = Math.ceil(retry_delay * factor ** (try_number - 1));
  const base = b > Number.MAX_SAFE_INTEGER ? MAX_RETRY_DELAY : b >= 1 ? b : 1;
  const ids = [coordinates.dag_id, coordinates.task_id, coordinates.logical_date].map(pythonText);
  const jitter = sha1Mod([...ids, try_number].join('#'), base);
  // 0 is no cap, as in Airflow.
  const cap =
    max_retry_delay !== undefined && max_retry_delay > 0 ? Math.min(MAX_RETRY_DELAY, max_retry_delay) : MAX_RETRY_DELAY;
  return { base, jitter, delay: Math.min(base + jitter, cap), cap };
}
