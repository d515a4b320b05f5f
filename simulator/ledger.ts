/** What the simulation counts: calls by operation and second, writes to tasks, targets and marks, alerts, decisions. */
import type { Fact } from '../functions/core/untold.ts';
import { PREFIXES } from '../functions/store/keys.ts';

export interface Ledger {
  call(service: string, operation: string): void;
  write(key: string): void;
  alert(event: Fact): void;
  /** An execution that waited with this token is told. */
  told(token: string): void;
  decision(queue: string, desired: number): void;
  /** @returns how many calls a service (`s3`) or an operation (`s3:HeadObject`) had. */
  calls(name: string): number;
  /** @returns the most calls of a service or an operation in one second, from a second on. */
  peak(name: string, fromSecond: number): number;
  /** @returns all names that were called, with their counts. */
  allCalls(): Readonly<Record<string, number>>;
  /** @returns the writes to tasks, targets and marks in [from, to), seconds. */
  writes(from: number, to: number): number;
  /** @returns the states that were alerted for a task, in order, one id once. */
  alerts(taskId: string): readonly string[];
  /** @returns the second at which the bus was first told of a fact, by its id, or an execution by its token. */
  toldAt(who: string): number | undefined;
  allAlerts(): readonly Fact[];
  /** @returns what was last desired for a queue at a second; 0 if nothing was decided yet. */
  desired(queue: string, second: number): number;
}

const COUNTED = [PREFIXES.task, PREFIXES.target, PREFIXES.untold];

interface Tally {
  calls: number;
  readonly seconds: Map<number, number>;
}

/** @param elapsedMs since the scenario's start, now */
export function createLedger(elapsedMs: () => number): Ledger {
  const tallies = new Map<string, Tally>();
  /** The two tallies of a call, by service and operation: texts are not joined for each. */
  const pairs = new Map<string, Map<string, readonly [Tally, Tally]>>();
  const writes: number[] = [];
  const alerts: Fact[] = [];
  const told = new Map<string, number>();
  const decisions: { second: number; queue: string; desired: number }[] = [];
  const second = () => elapsedMs() / 1000;

  function tallyOf(name: string): Tally {
    const tally = tallies.get(name) ?? { calls: 0, seconds: new Map<number, number>() };
    tallies.set(name, tally);
    return tally;
  }

  function pairOf(service: string, operation: string): readonly [Tally, Tally] {
    const known = pairs.get(service) ?? new Map<string, readonly [Tally, Tally]>();
    const pair = known.get(operation) ?? [tallyOf(service), tallyOf(`${service}:${operation}`)];
    pairs.set(service, known.set(operation, pair));
    return pair;
  }

  return {
    call(service, operation) {
      const now = Math.floor(second());
      for (const tally of pairOf(service, operation)) {
        tally.calls += 1;
        tally.seconds.set(now, (tally.seconds.get(now) ?? 0) + 1);
      }
    },
    write: (key) => {
      if (COUNTED.some((prefix) => key.startsWith(prefix))) writes.push(second());
    },
    alert(event) {
      alerts.push(event);
      if (!told.has(event.id)) told.set(event.id, second());
    },
    told: (token) => void told.set(token, second()),
    toldAt: (who) => told.get(who),
    decision: (queue, desired) => void decisions.push({ second: second(), queue, desired }),
    calls: (name) => tallies.get(name)?.calls ?? 0,
    peak(name, from) {
      let peak = 0;
      for (const [at, calls] of tallies.get(name)?.seconds ?? []) if (at >= from) peak = Math.max(peak, calls);
      return peak;
    },
    allCalls: () => {
      const operations = [...tallies].filter(([name]) => name.includes(':'));
      return Object.fromEntries(operations.map(([name, { calls }]) => [name, calls]));
    },
    writes: (from, to) => writes.filter((at) => at >= from && at < to).length,
    alerts(taskId) {
      const own = alerts.filter(({ task_id }) => task_id === taskId);
      return [...new Map(own.map((event) => [event.id, event.state])).values()];
    },
    allAlerts: () => alerts,
    desired: (queue, at) => decisions.findLast((one) => one.queue === queue && one.second <= at)?.desired ?? 0,
  };
}
