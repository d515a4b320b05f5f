import { exactly } from '../row.ts';
import type { Line, Row } from '../row.ts';
import { playOut, START, times } from '../play-out.ts';

const EQUAL = [1, 100, 1000];
const FROM = 300;
const UNTIL = 3900;
const INTERVAL = 60;

/** Calls of the outside for tasks that wait for one and the same thing. */
export const fanOut: Line = {
  name: 'fan-out',
  async run() {
    const rows: Row[] = [];
    for (const equal of EQUAL) {
      const calls = await callsFor(equal);
      const due = (UNTIL - FROM) / INTERVAL;
      rows.push(exactly(`external calls a due poke, ${equal} equal tasks`, calls / due, 1));
    }
    return { rows };
  },
};

async function callsFor(equal: number): Promise<number> {
  const tasks = times(equal, (n) => ({ id: `t-${n}`, sensor: { type: 's3_key', bucket: 'landing', key: 'k' } }));
  let before = 0;
  const { stage } = await playOut({
    submits: [{ at: 0, tasks }],
    until: UNTIL,
    watch: ({ ledger, time }) => {
      time.at(START + FROM * 1000, 'step', () => {
        before = ledger.calls('s3');
      });
    },
  });
  return stage.ledger.calls('s3') - before;
}
