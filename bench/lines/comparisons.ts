import { seeded } from '../../simulator/random.ts';
import { scriptedEmr } from '../../simulator/world/emr.ts';
import { scriptedS3 } from '../../simulator/world/s3.ts';
import type { World } from '../../simulator/format.ts';
import { plainSensor, stepFunctionsLoop } from '../plain.ts';
import type { Plain, PlainWait } from '../plain.ts';
import { delays, playOut, times } from '../play-out.ts';
import type { Body, Play } from '../play-out.ts';
import { percentile } from '../statistics.ts';
import { atMost } from '../row.ts';
import type { Line, Sheet } from '../row.ts';
import { dollarsOf, usedBy } from '../usage.ts';
import type { Used } from '../usage.ts';

const INTERVAL = 60;
const LAST = 5400;

/** Waits, as both sides have them. */
interface Case {
  readonly title: string;
  readonly tasks: readonly Body[];
  readonly world: Play['world'];
  readonly plain: Plain;
  /** Of a Step Functions loop: without a Choice where an error says that it is not met, else with it. */
  readonly statesAPoke: number;
  /** Whether a call costs what S3 takes for a HEAD. */
  readonly heads: boolean;
}

/** The same waits, three ways: with Sensorium, as a plain sensor a task, as a Step Functions loop a task. */
export const comparisons: Line = {
  name: 'comparisons',
  async run() {
    const [s3, emr] = [await compare(keysCase()), await compare(stepsCase())];
    return {
      rows: [
        atMost('calls beside plain sensors, 1,000 tasks on 100 keys', s3.share, 0.12, '0.10'),
        atMost('calls beside plain sensors, 200 EMR steps on 10 clusters', emr.share, 0.12, '0.05'),
      ],
      sheets: [s3.sheet, emr.sheet],
    };
  },
};

async function compare(one: Case): Promise<{ readonly share: number; readonly sheet: Sheet }> {
  const played = await playOut({
    submits: [{ at: 0, tasks: one.tasks }],
    until: LAST + 600,
    ...(one.world === undefined ? {} : { world: one.world }),
    metered: true,
  });
  const heldAt = new Map(one.tasks.map(({ id }, index) => [id, one.plain.waits[index]?.heldAt ?? 0]));
  const own = { used: usedBy(played), delays: delays(played.tasks, ({ id }) => heldAt.get(id) ?? 0) };
  const plain = await plainSensor(one.plain);
  const loop = await stepFunctionsLoop(one.plain, one.statesAPoke);
  const row = (name: string, used: Used, all: readonly number[]) => [
    name,
    used.calls,
    used.writes,
    used.transitions,
    used.invocations,
    used.workerSeconds,
    used.peakWorkers,
    percentile(all, 0.5),
    dollarsOf(used, one.heads ? used.calls : 0),
  ];
  return {
    share: own.used.calls / plain.used.calls,
    sheet: {
      title: one.title,
      columns: [
        '',
        'calls',
        'write units',
        'transitions',
        'invocations',
        'worker-seconds',
        'workers at once',
        'delay p50, s',
        'dollars',
      ],
      rows: [
        row('Sensorium, smart', own.used, own.delays),
        row('a plain sensor a task', plain.used, plain.delays),
        row('a Step Functions loop a task', loop.used, loop.delays),
      ],
    },
  };
}

/** Ten tasks a key; the keys appear between half an hour and an hour and a half. */
function keysCase(): Case {
  const random = seeded('keys of the comparison');
  const keys = times(100, (n) => ({ key: `orders/${n}`, at: 1800 + Math.floor(random() * (LAST - 1800)) }));
  const s3: World['s3'] = Object.fromEntries(keys.map(({ key, at }) => [`landing/${key}`, [{ at, present: true }]]));
  const waiting = times(10, () => keys).flat();
  const wait = ({ key, at }: (typeof keys)[number]): PlainWait => ({
    operation: 'HeadObject',
    input: { Bucket: 'landing', Key: key },
    isMet: () => true,
    heldAt: at,
  });
  return {
    title: '1,000 tasks on 100 S3 keys, half an hour to an hour and a half, every 60 s',
    tasks: waiting.map(({ key }, n) => ({ id: `t-${n}`, sensor: { type: 's3_key', bucket: 'landing', key } })),
    world: { s3 },
    plain: { waits: waiting.map(wait), world: (second) => scriptedS3(s3, second), intervalSeconds: INTERVAL },
    statesAPoke: 2,
    heads: true,
  };
}

/** Each step is waited for once; twenty share a cluster. */
function stepsCase(): Case {
  const random = seeded('steps of the comparison');
  const steps = times(200, (n) => ({
    cluster: `j-${n % 10}`,
    step: `s-${n}`,
    at: 1800 + Math.floor(random() * (LAST - 1800)),
  }));
  const emr: World['emr'] = Object.fromEntries(
    steps.map(({ cluster, step, at }) => [
      `${cluster}/${step}`,
      [
        { at: 0, state: 'RUNNING' },
        { at, state: 'COMPLETED' },
      ],
    ]),
  );
  const wait = ({ cluster, step, at }: (typeof steps)[number]): PlainWait => ({
    operation: 'DescribeStep',
    input: { ClusterId: cluster, StepId: step },
    isMet: (answer) => JSON.stringify(answer).includes('COMPLETED'),
    heldAt: at,
  });
  return {
    title: '200 EMR steps on 10 clusters, half an hour to an hour and a half, every 60 s, EMR without a quota',
    tasks: steps.map(({ cluster, step }) => ({
      id: `t-${step}`,
      sensor: { type: 'emr_step', job_flow_id: cluster, step_id: step },
      poke_interval: INTERVAL,
    })),
    world: { emr },
    plain: { waits: steps.map(wait), world: (second) => scriptedEmr(emr, second), intervalSeconds: INTERVAL },
    statesAPoke: 3,
    heads: false,
  };
}
