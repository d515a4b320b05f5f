import type { Fault, World } from '../../simulator/format.ts';
import { seeded } from '../../simulator/random.ts';
import { atMost, exactly } from '../row.ts';
import type { Line } from '../row.ts';
import { delays, playOut, times } from '../play-out.ts';
import type { Body } from '../play-out.ts';
import { percentile } from '../statistics.ts';

const CLUSTERS = 30;
const STEPS = 1000;
/** Steps end from the tenth minute on, for two hours. */
const FIRST_END = 600;
const LAST_END = 7800;

/** EMR's default quota, of each of the operations. */
const QUOTA = { from: 0, to: 100_000, refill: 0.5, burst: 10 };

/** How late the ends of a thousand steps are seen at EMR's default quota. */
export const emrDelay: Line = {
  name: 'emr-delay',
  async run() {
    const random = seeded('ends of steps');
    const steps = times(STEPS, (n) => ({
      cluster: `j-${n % CLUSTERS}`,
      step: `s-${n}`,
      end: FIRST_END + Math.round(random() * (LAST_END - FIRST_END)),
    }));
    const emr: World['emr'] = Object.fromEntries(
      steps.map(({ cluster, step, end }) => [
        `${cluster}/${step}`,
        [
          { at: 0, state: 'RUNNING' },
          { at: end, state: 'COMPLETED' },
        ],
      ]),
    );
    const tasks: Body[] = steps.map(({ cluster, step }) => ({
      id: `t-${step}`,
      sensor: { type: 'emr_step', job_flow_id: cluster, step_id: step },
    }));
    const faults: Fault[] = [
      { service: 'emr', operation: 'ListSteps', ...QUOTA },
      { service: 'emr', operation: 'DescribeStep', ...QUOTA },
    ];
    let throttled = 0;
    const { stage, tasks: ended } = await playOut({
      submits: [{ at: 0, tasks }],
      until: LAST_END + 900,
      world: { emr },
      faults,
      watch: ({ onPoke }) => {
        onPoke(({ observation }) => {
          if (observation.kind === 'unknown' && observation.throttled === true) throttled += 1;
        });
      },
    });
    const ends = new Map(steps.map(({ step, end }) => [`t-${step}`, end]));
    const all = delays(ended, ({ id }) => ends.get(id) ?? 0);
    const [p50, p99, last] = [percentile(all, 0.5), percentile(all, 0.99), Math.max(...all)];
    const minutes = (LAST_END + 900) / 60;
    return {
      rows: [
        atMost('EMR: 1,000 steps, 30 clusters, detection delay p50', p50, 61, '30 s', 's'),
        atMost('EMR: 1,000 steps, 30 clusters, detection delay p99', p99, 61, '59 s (a call a step: 1,981 s)', 's'),
        exactly('EMR: observations that a throttle spoiled', throttled, 0),
      ],
      sheets: [
        {
          title: 'EMR calls at the default quota',
          columns: ['operation', 'calls', 'a minute', 'quota a minute'],
          rows: ['ListSteps', 'DescribeStep'].map((operation) => {
            const calls = stage.ledger.calls(`emr:${operation}`);
            return [operation, calls, calls / minutes, QUOTA.refill * 60];
          }),
        },
        {
          title: 'EMR detection delay',
          columns: ['', 'seconds'],
          rows: [
            ['p50', p50],
            ['p99', p99],
            ['last', last],
          ],
        },
      ],
    };
  },
};
