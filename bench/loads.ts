/** The loads whose steady hour `npm run bench -- cost` bills, each with its goal. */
import type { Fault, World } from '../simulator/format.ts';
import { times } from './play-out.ts';
import type { Body } from './play-out.ts';

export interface Load {
  readonly title: string;
  readonly tasks: readonly Body[];
  readonly world?: Partial<World>;
  readonly faults?: readonly Fault[];
  /** Dollars a month. */
  readonly goal: number;
  /** What a Lambda that a schedule starts would ask for instead. */
  readonly cron: { readonly service: 's3' | 'emr'; readonly calls: number; readonly targets: number };
  readonly everySeconds: number;
}

export const LOADS: readonly Load[] = [
  keys(1, 60, 0.6),
  keys(1, 10, 1.5),
  keys(1, 1, 9),
  keys(100, 60, 1),
  keys(1000, 60, 3.5),
  keys(10_000, 60, 20),
  keys(1000, 600, 1.2),
  keys(1000, 10, 15),
  { ...keys(10, 60, 0.7), title: '1,000 tasks on 10 keys, 60 s', tasks: keyTasks(1000, 10, 60) },
  steps(1000, 30, 4),
];

/** @returns a load of so many keys that are not there, one task each. */
export function keys(count: number, everySeconds: number, goal: number): Load {
  return {
    title: `${count.toLocaleString('en-US')} ${count === 1 ? 'key' : 'keys'}, ${everySeconds} s`,
    tasks: keyTasks(count, count, everySeconds),
    goal,
    cron: { service: 's3', calls: count, targets: count },
    everySeconds,
  };
}

function keyTasks(tasks: number, count: number, everySeconds: number): readonly Body[] {
  return times(tasks, (n) => ({
    id: `t-${n}`,
    sensor: { type: 's3_key', bucket: 'landing', key: `k-${n % count}` },
    poke_interval: everySeconds,
  }));
}

/** Steps that run and do not end, at EMR's default quota of each operation. */
function steps(count: number, clusters: number, goal: number): Load {
  const all = times(count, (n) => ({ cluster: `j-${n % clusters}`, step: `s-${n}` }));
  const quota = { from: 0, to: 1_000_000, refill: 0.5, burst: 10 };
  return {
    title: `${count.toLocaleString('en-US')} EMR steps on ${clusters} clusters, 60 s`,
    tasks: all.map(({ cluster, step }) => ({
      id: `t-${step}`,
      sensor: { type: 'emr_step', job_flow_id: cluster, step_id: step },
      poke_interval: 60,
    })),
    world: {
      emr: Object.fromEntries(all.map(({ cluster, step }) => [`${cluster}/${step}`, [{ at: 0, state: 'RUNNING' }]])),
    },
    faults: [
      { service: 'emr', operation: 'ListSteps', ...quota },
      { service: 'emr', operation: 'DescribeStep', ...quota },
    ],
    goal,
    // A page of ListSteps holds all steps of a cluster.
    cron: { service: 'emr', calls: clusters, targets: count },
    everySeconds: 60,
  };
}
