import { awsCalls } from '../../functions/sensors/aws-calls.ts';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import { createSensors } from '../../functions/sensors/registry.ts';
import type { PokeIo, Sender } from '../../functions/sensors/sensor.ts';
import { scriptedEmr } from '../../simulator/world/emr.ts';
import { exactly } from '../row.ts';
import type { Line, Row } from '../row.ts';
import { times } from '../play-out.ts';

/** Waited steps of a cluster, and its active ones. */
const CASES = [
  [1, 1],
  [10, 10],
  [11, 11],
  [11, 256],
  [50, 50],
  [200, 200],
  [200, 256],
] as const;

/** Calls of EMR for one round of pokes of a cluster's steps, once the first round is over. */
export const emrCalls: Line = {
  name: 'emr-calls',
  async run() {
    const rows: Row[] = [];
    for (const [waited, active] of CASES) {
      const bound = Math.min(Math.ceil(waited / 10), Math.ceil(active / 50));
      const calls = await callsOfARound(waited, active);
      rows.push(exactly(`EMR calls a round, ${waited} waited of ${active} active steps`, calls, bound));
    }
    return { rows };
  },
};

async function callsOfARound(waited: number, active: number): Promise<number> {
  const world = Object.fromEntries(times(active, (n) => [`j-1/s-${n}`, [{ at: 0, state: 'RUNNING' }]]));
  const answer = scriptedEmr(world, () => 0);
  let calls = 0;
  const emr: Sender = {
    async send(command: never) {
      const { constructor, input } = command as { constructor: { name: string }; input: Record<string, unknown> };
      calls += 1;
      return answer(constructor.name.replace(/Command$/, ''), input);
    },
  };
  const io: PokeIo = {
    now: () => 0,
    call: (_, send) => send(),
    once: (_, ask) => ask(),
  };
  const nobody: Sender = { send: () => Promise.reject(new Error('only EMR is asked here')) };
  const sensors = createSensors(awsCalls({ s3: nobody, emr }), ALL_OPEN);
  // Waited for are the oldest: a page of the newest first does not hold them.
  const items = times(waited, (n) => ({
    queue: 'bench',
    spec: {
      type: 'emr_step',
      job_flow_id: 'j-1',
      step_id: `s-${active - 1 - n}`,
      target_states: ['COMPLETED'],
      failed_states: ['CANCELLED', 'FAILED', 'INTERRUPTED'],
    },
    first: false,
  }));
  await sensors.poke(items, io);
  calls = 0;
  const observations = await sensors.poke(items, io);
  const idle = observations.filter(({ kind }) => kind === 'not_met').length;
  if (idle !== waited) throw new Error(`${waited - idle} of ${waited} steps were not seen`);
  return calls;
}
