import { exactly } from '../row.ts';
import type { Line } from '../row.ts';
import { playOut, times } from '../play-out.ts';

const KEYS = 100;
const FROM = 300;
const UNTIL = 3900;

/** What a poke that finds nothing new writes to tasks and targets: from the second interval on, for an hour. */
export const idle: Line = {
  name: 'idle',
  async run() {
    let pokes = 0;
    const tasks = times(KEYS, (n) => ({ id: `t-${n}`, sensor: { type: 's3_key', bucket: 'landing', key: `k-${n}` } }));
    const { stage } = await playOut({
      submits: [{ at: 0, tasks }],
      until: UNTIL,
      watch: ({ onPoke, time }) => {
        const start = time.now();
        onPoke(() => {
          if (time.now() - start >= FROM * 1000) pokes += 1;
        });
      },
    });
    if (pokes < (KEYS * (UNTIL - FROM)) / 60 - KEYS) throw new Error(`only ${pokes} pokes were made`);
    const writes = stage.ledger.writes(FROM, UNTIL);
    return { rows: [exactly('DynamoDB writes of one idle poke', writes / pokes, 0)] };
  },
};
