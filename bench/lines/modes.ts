import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODES } from '../../functions/core/task.ts';
import type { Mode } from '../../functions/core/task.ts';
import type { World } from '../../simulator/format.ts';
import { MODES_LEFT_OUT } from '../../simulator/modes.ts';
import { modesPicture } from '../modes-picture.ts';
import type { ModeFigures } from '../modes-picture.ts';
import { delays, playOut, times } from '../play-out.ts';
import { exactly } from '../row.ts';
import type { Line } from '../row.ts';
import { percentile } from '../statistics.ts';
import { dollarsOf, usedBy } from '../usage.ts';

const WAITS = 20;
const INTERVAL = 60;
const HOUR = 3600;
/** The steps end one after another, so that some end right after a poke and some right before one. */
const APART = 7;

const PICTURE = join(import.meta.dirname, '..', '..', 'docs', 'modes.svg');

/** The same waits of an hour in every mode: who is held, who is called, what it costs, how late it is seen. */
export const modes: Line = {
  name: 'modes',
  async run() {
    const figures: ModeFigures[] = [];
    for (const mode of MODES.filter((one) => !MODES_LEFT_OUT.has(one))) figures.push(await measure(mode));
    writeFileSync(
      PICTURE,
      modesPicture(`${WAITS} EMR steps, waited for an hour, asked for every ${INTERVAL} s`, figures),
    );
    return {
      rows: figures.map(({ mode, ended }) =>
        exactly(`waits of an hour that ended in success, mode ${mode}`, ended, WAITS),
      ),
      sheets: [
        {
          title: `${WAITS} EMR steps of one cluster, an hour each, every ${INTERVAL} s (docs/modes.svg)`,
          columns: [
            'mode',
            'worker-seconds',
            'invocations',
            'workers at once',
            'calls',
            'write units',
            'transitions',
            'dollars',
            'delay p50, s',
            'delay max, s',
          ],
          rows: figures.map((one) => [
            one.mode,
            one.workerSeconds,
            one.invocations,
            one.peakWorkers,
            one.calls,
            one.writes,
            one.transitions,
            one.dollars,
            one.delayP50,
            one.delayMax,
          ]),
        },
      ],
    };
  },
};

async function measure(mode: Mode): Promise<ModeFigures> {
  const steps = times(WAITS, (n) => ({ step: `s-${n}`, end: HOUR + n * APART }));
  const emr: World['emr'] = Object.fromEntries(
    steps.map(({ step, end }) => [
      `j-1/${step}`,
      [
        { at: 0, state: 'RUNNING' },
        { at: end, state: 'COMPLETED' },
      ],
    ]),
  );
  const played = await playOut({
    submits: [
      {
        at: 0,
        tasks: steps.map(({ step }) => ({
          id: `t-${step}`,
          mode,
          sensor: { type: 'emr_step', job_flow_id: 'j-1', step_id: step },
          poke_interval: INTERVAL,
        })),
      },
    ],
    until: HOUR + WAITS * APART + 600,
    world: { emr },
    metered: true,
  });
  const used = usedBy(played);
  const ends = new Map(steps.map(({ step, end }) => [`t-${step}`, end]));
  const all = delays(played.tasks, ({ id }) => ends.get(id) ?? 0);
  return {
    mode,
    ...used,
    ended: all.length,
    dollars: dollarsOf(used, 0),
    delayP50: percentile(all, 0.5),
    delayMax: Math.max(...all),
  };
}
