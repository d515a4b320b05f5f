/** What the simulation counts: calls by operation and second, writes to tasks and targets, alerts, decisions. */
import type { StateChanged } from '../functions/notifier/event.ts';

export interface Ledger {
  call(service: string, operation: string): void;
  write(key: string): void;
  alert(event: StateChanged): void;
  decision(queue: string, desired: number): void;
  /** @returns how many calls a service (`s3`) or an operation (`s3:HeadObject`) had. */
  calls(name: string): number;
  /** @returns the most calls of a service or an operation in one second, from a second on. */
  peak(name: string, fromSecond: number): number;
  /** @returns all names that were called, with their counts. */
  allCalls(): Readonly<Record<string, number>>;
  /** @returns the writes to tasks and targets in [from, to), seconds. */
  writes(from: number, to: number): number;
  /** @returns the states that were alerted for a task, in order, one id once. */
  alerts(taskId: string): readonly string[];
  allAlerts(): readonly StateChanged[];
  /** @returns what was last desired for a queue at a second; 0 if nothing was decided yet. */
  desired(queue: string, second: number): number;
}

/** @param elapsedMs since the scenario's start, now */
export function createLedger(elapsedMs: () => number): Ledger {
  const counts = new Map<string, number>();
  const perSecond = new Map<string, Map<number, number>>();
  const writes: number[] = [];
  const alerts: StateChanged[] = [];
  const decisions: { second: number; queue: string; desired: number }[] = [];
  const second = () => elapsedMs() / 1000;

  function add(name: string): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    let seconds = perSecond.get(name);
    if (seconds === undefined) perSecond.set(name, (seconds = new Map<number, number>()));
    const now = Math.floor(second());
    seconds.set(now, (seconds.get(now) ?? 0) + 1);
  }

  return {
    call(service, operation) {
      add(service);
      add(`${service}:${operation}`);
    },
    write: (key) => {
      if (key.startsWith('TASK#') || key.startsWith('TARGET#')) writes.push(second());
    },
    alert: (event) => void alerts.push(event),
    decision: (queue, desired) => void decisions.push({ second: second(), queue, desired }),
    calls: (name) => counts.get(name) ?? 0,
    peak(name, from) {
      let peak = 0;
      for (const [at, calls] of perSecond.get(name) ?? []) if (at >= from) peak = Math.max(peak, calls);
      return peak;
    },
    allCalls: () => Object.fromEntries([...counts].filter(([name]) => name.includes(':'))),
    writes: (from, to) => writes.filter((at) => at >= from && at < to).length,
    alerts(taskId) {
      const own = alerts.filter(({ task_id }) => task_id === taskId);
      return [...new Map(own.map((event) => [event.id, event.state])).values()];
    },
    allAlerts: () => alerts,
    desired: (queue, at) => decisions.findLast((one) => one.queue === queue && one.second <= at)?.desired ?? 0,
  };
}
