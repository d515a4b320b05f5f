import { atMost } from '../row.ts';
import type { Line } from '../row.ts';
import { playOut, times } from '../play-out.ts';

const TARGETS = 2000;
const UNTIL = 1200;

/** What all functions write to their logs, by poke: submits, first pokes and ticks of a queue included. */
export const logBytes: Line = {
  name: 'log-bytes',
  async run() {
    let bytes = 0;
    let pokes = 0;
    await playOut({
      submits: [
        {
          at: 0,
          tasks: times(TARGETS, (n) => ({
            id: `t-${n}`,
            sensor: { type: 's3_key', bucket: 'landing', key: `k-${n}` },
          })),
        },
      ],
      until: UNTIL,
      log: (entry) => {
        bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
      },
      watch: ({ onPoke }) => {
        onPoke(() => {
          pokes += 1;
        });
      },
    });
    return { rows: [atMost('log bytes a poke, 2,000 targets, 20 minutes', bytes / pokes, 1, '0')] };
  },
};
