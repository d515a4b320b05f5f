/** Counts what a span of a play uses, from one second to another. */
import type { Counted } from './bill.ts';
import type { Invoked } from '../simulator/invocations.ts';
import type { Fault, World } from '../simulator/format.ts';
import { playOut, START } from './play-out.ts';
import type { Play } from './play-out.ts';

/** What is submitted to which world, and the span that counts, seconds. */
export interface Span {
  readonly submits: Play['submits'];
  readonly world?: Partial<World>;
  readonly faults?: readonly Fault[];
  readonly from: number;
  readonly until: number;
}

export interface SpanUse {
  readonly counted: Counted;
  /** Custom metrics of the whole deployment. */
  readonly totals: number;
  /** Calls of the watched service. */
  readonly calls: number;
}

type Amounts = Pick<Counted, 'writes' | 'reads' | 'transitions' | 'events'> & { readonly calls: number };

/** @returns what the span used. An invocation counts where it ends. */
export async function count({ submits, world = {}, faults, from, until }: Span): Promise<SpanUse> {
  let events = 0;
  let logBytes = 0;
  const metrics = new Set<string>();
  const totals = new Set<string>();
  const invoked: Invoked[] = [];
  let before: Amounts | undefined;
  let counts = false;
  let amounts = (): Amounts => ({ writes: 0, reads: 0, transitions: 0, events: 0, calls: 0 });
  await playOut({
    submits,
    world,
    until,
    ...(faults === undefined ? {} : { faults }),
    metered: true,
    log: (entry) => {
      if (!counts) return;
      logBytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
      for (const { name, dimensions } of metricsOf(entry))
        (dimensions === '' ? totals : metrics).add(dimensions + name);
    },
    watch: ({ time, ledger, onAlert, invocations }, meter) => {
      onAlert(() => (events += 1));
      invocations.onEnd((one) => {
        if (counts) invoked.push(one);
      });
      amounts = () => ({
        writes: meter.writes(),
        reads: meter.reads(),
        transitions: ledger.calls('sfn:Transition'),
        events,
        calls: ledger.calls('s3') + ledger.calls('emr'),
      });
      time.at(START + from * 1000, 'step', () => {
        before = amounts();
        counts = true;
      });
    },
  });
  const after = amounts();
  if (before === undefined) throw new Error(`the span from ${from} to ${until} never began`);
  return {
    counted: {
      hours: (until - from) / 3600,
      invoked,
      writes: after.writes - before.writes,
      reads: after.reads - before.reads,
      transitions: after.transitions - before.transitions,
      requests: invoked.filter(({ name }) => name === 'api').length,
      events: after.events - before.events,
      queueRequests: 0,
      emptyReceives: 0,
      logBytes,
      metrics: metrics.size,
    },
    totals: totals.size,
    calls: after.calls - before.calls,
  };
}

interface MetricLine {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
}

/** @returns the custom metrics of a log line, once for each set of dimensions; without any: `''`. */
function metricsOf(entry: Readonly<Record<string, unknown>>) {
  if (!('_aws' in entry)) return [];
  const { _aws } = entry as unknown as MetricLine;
  return _aws.CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = names.map((name) => `${name}=${String(entry[name])} `).join('');
      return Metrics.map(({ Name: name }) => ({ name, dimensions }));
    }),
  );
}
