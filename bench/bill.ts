/**
 * What AWS bills for a span of the simulator, by item. Virtual time is no bill: there every call takes 50 ms and the
 * processor nothing. The billed time of an invocation is calculated from its account (simulator/account.ts):
 *
 * - What it waited counts as it passed: a worker that sleeps until an instant is paid for meanwhile.
 * - What it stood for calls alone counts by rounds. Each 50 ms of virtual time are one round of concurrent calls, and
 *   takes the model's time of a call of that service (functions/core/prices.ts).
 * - Pokes take the longer of their rounds and of the processor's time, which grows as the function's memory shrinks.
 * - 1 % of the invocations begin cold and pay their import.
 */
import {
  CALL_MS,
  COLD_SHARE,
  gigabytesOf,
  IMPORT_MS,
  MONTH_HOURS,
  MONTHLY,
  POKE_CPU_MS,
  PRICES,
  QUEUE_REQUESTS,
} from '../functions/core/prices.ts';
import type { Invoked } from '../simulator/invocations.ts';
import type { FunctionName } from '../simulator/life.ts';
import { CALL_MS as VIRTUAL_CALL_MS } from '../simulator/sim-table.ts';

/** Bytes that Lambda itself writes of an invocation: START, END, REPORT. */
const PLATFORM_LOG_BYTES = 330;

/** What a span was counted to use. */
export interface Counted {
  readonly hours: number;
  readonly invoked: readonly Pick<Invoked, 'name' | 'spent'>[];
  readonly writes: number;
  readonly reads: number;
  readonly transitions: number;
  /** Of the REST API. */
  readonly requests: number;
  /** On the bus. */
  readonly events: number;
  /** Requests to queues that carry a message, and receives that find none. Nothing polls a queue today. */
  readonly queueRequests: number;
  readonly emptyReceives: number;
  /** What the functions themselves log. */
  readonly logBytes: number;
  /** Custom metrics by queue: those of the whole deployment are there once, whatever the load. */
  readonly metrics: number;
}

export const ITEMS = [
  'workers',
  'other functions',
  'starts',
  'messages',
  'empty receives',
  'reads',
  'writes',
  'transitions',
  'requests',
  'events',
  'logs',
  'metrics',
] as const;

/** Dollars of each item. */
export type Bill = Readonly<Record<(typeof ITEMS)[number], number>>;

const WORKERS: ReadonlySet<FunctionName> = new Set(['shard-worker', 'poke-worker', 'deferral']);

/** @returns what a span is billed, dollars of the span itself (metrics: by its hours). */
export function billOf(counted: Counted): Bill {
  const million = (count: number, price: number): number => (count * price) / 1_000_000;
  const seconds = (ofWorkers: boolean): number =>
    counted.invoked
      .filter(({ name }) => WORKERS.has(name) === ofWorkers)
      .reduce((sum, { name, spent }) => sum + (billedMs(name, spent) / 1000) * gigabytesOf(name), 0);
  const logBytes = counted.logBytes + counted.invoked.length * PLATFORM_LOG_BYTES;
  return {
    workers: seconds(true) * PRICES.gbSecond,
    'other functions': seconds(false) * PRICES.gbSecond,
    starts: million(counted.invoked.length, PRICES.invocations),
    messages: million(counted.queueRequests, QUEUE_REQUESTS),
    'empty receives': million(counted.emptyReceives, QUEUE_REQUESTS),
    reads: million(counted.reads, PRICES.reads),
    writes: million(counted.writes, PRICES.writes),
    transitions: million(counted.transitions, PRICES.transitions),
    requests: million(counted.requests, PRICES.requests),
    events: million(counted.events, PRICES.events),
    logs: (logBytes / 2 ** 30) * MONTHLY.logGigabyte,
    metrics: (counted.metrics * MONTHLY.metric * counted.hours) / MONTH_HOURS,
  };
}

/** @returns the time that Lambda bills of one invocation, ms; a hundredth of its cold start included. */
export function billedMs(name: FunctionName, { waitedMs, otherMs, calledMs, pokes }: Invoked['spent']): number {
  const rounds = (service: keyof typeof calledMs): number => (calledMs[service] / VIRTUAL_CALL_MS) * CALL_MS[service];
  const processorMs = (pokes * POKE_CPU_MS) / gigabytesOf(name);
  const watched = Math.max(rounds('s3') + rounds('emr'), processorMs);
  return waitedMs + otherMs + rounds('dynamodb') + rounds('other') + watched + COLD_SHARE * IMPORT_MS[name];
}

/** Calls that the cron Lambda has open at one time. */
const IN_FLIGHT = 32;

/**
 * The Lambda that somebody would write instead: as much memory as a shard worker, started by a schedule, asks for all of
 * its list and ends. It keeps no state, no deadline, no quota, and tells nobody.
 * @param list how many calls of which service it makes for how many targets, and how often
 * @returns dollars a month
 */
export function cronDollars(list: {
  readonly service: 's3' | 'emr';
  readonly calls: number;
  readonly targets: number;
  readonly everySeconds: number;
}): number {
  const rounds = Math.ceil(list.calls / IN_FLIGHT);
  const spent = {
    waitedMs: 0,
    otherMs: 0,
    calledMs: { dynamodb: 0, s3: 0, emr: 0, other: 0, [list.service]: rounds * VIRTUAL_CALL_MS },
    pokes: list.targets,
  };
  const ms = billedMs('shard-worker', spent);
  const starts = (MONTH_HOURS * 3600) / list.everySeconds;
  const gbSeconds = (starts * ms * gigabytesOf('shard-worker')) / 1000;
  return gbSeconds * PRICES.gbSecond + (starts * PRICES.invocations) / 1_000_000;
}

export function sumOf(bill: Bill): number {
  return ITEMS.reduce((sum, item) => sum + bill[item], 0);
}

/** @returns the bill of a span, times a factor. */
export function scaled(bill: Bill, factor: number): Bill {
  return each((item) => bill[item] * factor);
}

/** @returns the bill of a month of which a span was counted. */
export function monthOf(counted: Counted): Bill {
  return scaled(billOf(counted), MONTH_HOURS / counted.hours);
}

/** @returns what one bill has more than another. */
export function beyond(bill: Bill, other: Bill): Bill {
  return each((item) => bill[item] - other[item]);
}

function each(amount: (item: keyof Bill) => number): Bill {
  const entries = ITEMS.map((item) => [item, amount(item)] as const);
  return Object.fromEntries(entries) as Record<keyof Bill, number>;
}
