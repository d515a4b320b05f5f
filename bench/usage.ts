/** What a way of waiting has used, as it was counted, and what AWS would bill for it. */
import { gigabytesOf, PRICES } from '../functions/core/prices.ts';
import type { Invoked } from '../simulator/invocations.ts';
import type { FunctionName } from '../simulator/life.ts';
import type { Played } from './play-out.ts';

export interface Used {
  /** Calls of the watched APIs. */
  readonly calls: number;
  /** DynamoDB's request units, indexes included. */
  readonly writes: number;
  readonly reads: number;
  /** Step Functions state transitions. */
  readonly transitions: number;
  /** Lambda invocations of all functions. */
  readonly invocations: number;
  readonly gbSeconds: number;
  /** How long workers were held, all together, seconds. */
  readonly workerSeconds: number;
  /** The most workers at one time. */
  readonly peakWorkers: number;
  /** Requests of the REST API, and events on the bus. */
  readonly requests: number;
  readonly events: number;
}

/** Who waits and pokes; the other functions only hand on. */
const WORKERS: ReadonlySet<FunctionName> = new Set(['shard-worker', 'poke-worker', 'deferral']);

/** S3's price of a HEAD, dollars a million; a call of EMR costs nothing (aws.amazon.com/s3/pricing, us-east-1, 2025). */
const S3_HEAD = 0.4;

/** @returns what a run of the simulator has used. Its reads must have been counted (`metered`). */
export function usedBy({ stage, meter, tasks, invoked }: Played): Used {
  const workers = invoked.filter(({ name }) => WORKERS.has(name));
  const { ledger } = stage;
  return {
    calls: ledger.calls('s3') + ledger.calls('emr'),
    writes: meter.writes(),
    reads: meter.reads(),
    transitions: ledger.calls('sfn:Transition'),
    invocations: invoked.length,
    gbSeconds: invoked.reduce((sum, one) => sum + secondsOf(one) * gigabytesOf(one.name), 0),
    workerSeconds: workers.reduce((sum, one) => sum + secondsOf(one), 0),
    peakWorkers: peakOf(workers),
    requests: invoked.filter(({ name }) => name === 'api').length,
    events: tasks.length,
  };
}

/** @returns dollars for all of it, without free tiers. @param heads how many of the calls are S3's */
export function dollarsOf(used: Used, heads: number): number {
  const millions =
    used.writes * PRICES.writes +
    used.reads * PRICES.reads +
    used.transitions * PRICES.transitions +
    used.invocations * PRICES.invocations +
    used.requests * PRICES.requests +
    used.events * PRICES.events +
    heads * S3_HEAD;
  return millions / 1_000_000 + used.gbSeconds * PRICES.gbSecond;
}

/** @returns the most of the spans that hold at one time; one that ends as another begins is gone by then. */
export function peakOf(spans: readonly Pick<Invoked, 'startedAt' | 'endedAt'>[]): number {
  const moments = spans.flatMap(({ startedAt, endedAt }) => [
    { at: startedAt, change: 1 },
    { at: endedAt, change: -1 },
  ]);
  moments.sort((a, b) => a.at - b.at || a.change - b.change);
  let held = 0;
  let peak = 0;
  for (const { change } of moments) {
    held += change;
    peak = Math.max(peak, held);
  }
  return peak;
}

function secondsOf({ startedAt, endedAt }: Invoked): number {
  return (endedAt - startedAt) / 1000;
}
