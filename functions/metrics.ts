/**
 * Metrics in CloudWatch's embedded format: the line that a run logs anyway says besides which of its fields are metrics,
 * and CloudWatch makes them of the log, without a call. Written by hand: Powertools' metrics cost 10 to 17 ms of every
 * cold start and a buffer that has to be flushed, for what is one object here. Names and units are declared once, for the
 * functions and for the alarms and the dashboard of lib/.
 */

import type { Log } from './ports.ts';

/** Every metric of the service and its unit; each is a field of a log line of the same name. */
export const METRICS = {
  /** Pokes and runs that fall due in the tick; runs that hold a lease; targets that wait; pokes the budget left out. */
  due: 'Count',
  held: 'Count',
  waiting: 'Count',
  owed: 'Count',
  /** Workers of the tick: those that the queue's load asks for, and those that were started. */
  workers_wanted: 'Count',
  workers_running: 'Count',
  /** How long the oldest poke that is due has been so, at the start of a tick. */
  oldest_due_ms: 'Milliseconds',
  /** How late the latest poke of the last tick was. */
  poke_lag_ms: 'Milliseconds',
  pokes: 'Count',
  calls: 'Count',
  /** Calls that a sensor for each task would have made besides. */
  calls_saved: 'Count',
  met: 'Count',
  unknown: 'Count',
  throttled: 'Count',
  poison: 'Count',
  counting_failed: 'Count',
  dispatch_failed: 'Count',
  /** Tasks that the hourly sweep or the watchdog found without a target that does for them what they need. */
  rejoined: 'Count',
  /** Targets whose execution was missing. */
  taken_over: 'Count',
  alerts_sent: 'Count',
  /** What a receiver did not take, and is told again later. */
  alerts_put_off: 'Count',
  /** For how long somebody has not been told: the oldest of those whose next try is near. */
  untold_ms: 'Milliseconds',
} as const satisfies Readonly<Record<string, 'Count' | 'Milliseconds'>>;

export type MetricName = keyof typeof METRICS;

/** What a run measured; what is not there, or undefined, is left out of its line. */
export type Metrics = { readonly [name in MetricName]?: number | undefined };

const UNITS: Readonly<Record<string, string>> = METRICS;

/**
 * @param namespace where CloudWatch keeps the metrics
 * @param dimensions each metric is there once by all of these together, and once without any
 * @param metrics what was measured
 * @param fields the rest of the line, for people
 * @param now epoch ms
 * @returns the line to log; a plain one where nothing was measured
 */
export function metricLine(
  namespace: string,
  dimensions: Readonly<Record<string, string>>,
  metrics: Metrics,
  fields: Parameters<Log>[0],
  now: number,
): Parameters<Log>[0] {
  // One value that is no number would cost the whole line its metrics.
  const measured = Object.entries(metrics).filter(([name, value]) => name in UNITS && Number.isFinite(value));
  const line = { ...fields, ...dimensions, ...Object.fromEntries(measured) };
  if (measured.length === 0) return line;
  const by = Object.keys(dimensions);
  const directive = {
    Namespace: namespace,
    Dimensions: by.length === 0 ? [[]] : [by, []],
    Metrics: measured.map(([name]) => ({ Name: name, Unit: UNITS[name] })),
  };
  return { ...line, _aws: { Timestamp: now, CloudWatchMetrics: [directive] } };
}

/** @returns the metrics that are not 0: what is counted and did not happen is not worth its bytes. */
export function counted(metrics: Metrics): Metrics {
  return Object.fromEntries(Object.entries(metrics).filter(([, value]) => value !== 0));
}
