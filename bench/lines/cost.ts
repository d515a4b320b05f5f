import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MONTH_HOURS, MONTHLY } from '../../functions/core/prices.ts';
import type { World } from '../../simulator/format.ts';
import { beyond, billOf, cronDollars, ITEMS, monthOf, scaled, sumOf } from '../bill.ts';
import type { Bill } from '../bill.ts';
import { keys, LOADS } from '../loads.ts';
import type { Load } from '../loads.ts';
import { times } from '../play-out.ts';
import { atMost, goal } from '../row.ts';
import type { Line, Row, Sheet } from '../row.ts';
import { count } from '../steady.ts';

/** The hour that counts: first pokes are over, and every interval has been through twice. */
const HOUR = { from: 1800, until: 5400 };

/** Tasks of the lives that are billed, and the batches in which they come. */
const LIVES = 1000;
const BATCH = 100;

const ALARMS = readdirSync(join(import.meta.dirname, '..', '..', 'docs', 'runbooks')).length;

interface Billed {
  readonly load: Load;
  /** Dollars a month, by item. */
  readonly bill: Bill;
  readonly cron: number;
}

/** What a month of each load costs, of an idle deployment, of a queue that is awake, of a million task lives. */
export const cost: Line = {
  name: 'cost',
  async run() {
    const idle = await count({ submits: [], ...HOUR });
    const idleBill = monthOf(idle.counted);
    const billed: Billed[] = [];
    for (const load of LOADS) billed.push((await steadyHour(load)).billed);
    const awake = await steadyHour(keys(1, 600, 0));
    const lives = await millionLives(idleBill);
    return {
      rows: [
        ...billed.map(({ load, bill }) =>
          goal(`dollars a month, ${load.title}`, sumOf(bill), load.goal, '-', 'dollars'),
        ),
        ...idleRows(sumOf(idleBill)),
        goal(
          'dollars a month, a queue that is awake, by its mere being',
          sumOf(beyond(awake.billed.bill, idleBill)),
          0.6,
          '-',
          'dollars',
        ),
        goal(
          'dollars a month, metrics of the whole deployment while a queue is awake',
          awake.totals * MONTHLY.metric,
          1.5,
          '-',
          'dollars',
        ),
        ...growthRows(billed),
      ],
      sheets: [
        sheetOf(billed),
        {
          title: 'dollars beside loads',
          columns: ['', 'sum', ...ITEMS],
          rows: [
            ['an idle deployment, a month (without its secret)', sumOf(idleBill), ...amounts(idleBill)],
            [
              'a queue that is awake with one key every 600 s, a month',
              sumOf(awake.billed.bill),
              ...amounts(awake.billed.bill),
            ],
            ['a million tasks, submitted in batches of 100, whose condition holds', sumOf(lives), ...amounts(lives)],
          ],
        },
      ],
    };
  },
};

async function steadyHour(load: Load): Promise<{ readonly billed: Billed; readonly totals: number }> {
  const { tasks, world, faults, cron, everySeconds } = load;
  const { counted, calls, totals } = await count({
    submits: [{ at: 0, tasks }],
    ...(world === undefined ? {} : { world }),
    ...(faults === undefined ? {} : { faults }),
    ...HOUR,
  });
  if (calls === 0) throw new Error(`nobody was called in the hour of ${load.title}`);
  const bill = monthOf(counted);
  return { billed: { load, bill, cron: cronDollars({ ...cron, everySeconds }) }, totals };
}

/** @returns dollars of a million tasks from their submit to their end, the wait between them left out. */
async function millionLives(idle: Bill): Promise<Bill> {
  const until = 1800;
  const tasks = times(LIVES, (n) => ({ id: `t-${n}`, sensor: { type: 's3_key', bucket: 'landing', key: `k-${n}` } }));
  const present = tasks.map(({ sensor }) => [`landing/${sensor.key}`, [{ at: 0, present: true }]]);
  const { counted } = await count({
    submits: times(LIVES / BATCH, (n) => ({ at: 30 + n * 10, tasks: tasks.slice(n * BATCH, (n + 1) * BATCH) })),
    world: { s3: Object.fromEntries(present) as World['s3'] },
    from: 1,
    until,
  });
  // The metrics of an awake queue are no part of a task's life, and neither is what would tick without it.
  const bill = billOf({ ...counted, metrics: 0 });
  return scaled(beyond(bill, scaled(idle, counted.hours / MONTH_HOURS)), 1_000_000 / LIVES);
}

function idleRows(ticks: number): readonly Row[] {
  const bare = ticks + MONTHLY.secret;
  const alarmed = bare + ALARMS * MONTHLY.alarm;
  return [
    goal('dollars a month, an idle deployment, bare', bare, 0.4, '-', 'dollars'),
    goal(`dollars a month, an idle deployment with its ${ALARMS} alarms`, alarmed, 2, '-', 'dollars'),
    goal(
      'dollars a month, an idle deployment with alarms and dashboard',
      alarmed + MONTHLY.dashboard,
      5,
      '-',
      'dollars',
    ),
  ];
}

/** Of keys with one interval: a target of many costs no more than one of few. */
function growthRows(billed: readonly Billed[]): readonly Row[] {
  const sizes = billed
    .filter(({ load }) => load.everySeconds === 60 && load.tasks.length === load.cron.calls && load.tasks.length >= 100)
    .map(({ load, bill }) => ({ count: load.tasks.length, dollars: sumOf(bill) / load.tasks.length }));
  return sizes.slice(1).map(({ count: many, dollars }, index) => {
    const fewer = sizes[index] ?? { count: many, dollars };
    const what = `dollars a target, ${many.toLocaleString('en-US')} beside ${fewer.count.toLocaleString('en-US')}`;
    return atMost(what, dollars / fewer.dollars, 1, '-');
  });
}

function sheetOf(billed: readonly Billed[]): Sheet {
  return {
    title: "dollars a month by item, without the watched API's own price, alarms, dashboard and the totals' metrics",
    columns: ['load', 'sum', 'goal', 'cron', 'times cron', ...ITEMS],
    rows: billed.map(({ load, bill, cron }) => {
      const sum = sumOf(bill);
      return [load.title, sum, load.goal, cron, sum / cron, ...amounts(bill)];
    }),
  };
}

function amounts(bill: Bill): readonly number[] {
  return ITEMS.map((item) => bill[item]);
}
