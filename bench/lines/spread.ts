import { atMost } from '../row.ts';
import type { Line, Row } from '../row.ts';
import { playOut, times } from '../play-out.ts';
import { peakToMean } from '../statistics.ts';

const TARGETS = 10_000;
const BURSTS = 5;
/** Seconds between two bursts. */
const APART = 12;
/** Rounds that are counted, after the first interval is over. */
const ROUNDS = 5;

/** Equal intervals that were submitted in bursts: how far the calls of a second are above the mean. */
export const spread: Line = {
  name: 'spread',
  async run() {
    const rows: Row[] = [];
    for (const interval of [60, 600]) {
      const ratio = await peakOf(interval);
      rows.push(
        atMost(
          `peak to mean of calls a second, 10,000 intervals of ${interval} s`,
          ratio,
          1.3,
          '1.0 (all at the tick: 63)',
        ),
      );
    }
    return { rows };
  },
};

async function peakOf(interval: number): Promise<number> {
  const submits = times(BURSTS, (burst) => ({
    at: burst * APART,
    tasks: times(TARGETS / BURSTS, (n) => ({
      id: `t-${burst}-${n}`,
      sensor: { type: 's3_key', bucket: 'landing', key: `part-${burst}-${n}` },
      poke_interval: interval,
    })),
  }));
  // The last burst's first interval, and the tick in which it ends.
  const from = BURSTS * APART + interval + 60;
  const until = from + ROUNDS * interval;
  const seconds = Array.from({ length: until - from }, () => 0);
  await playOut({
    submits,
    until,
    watch: ({ ledger, time }) => {
      let before = 0;
      const start = time.now();
      const look = (second: number): void => {
        time.at(start + second * 1000, 'step', () => {
          const calls = ledger.calls('s3');
          if (second > from) seconds[second - from - 1] = calls - before;
          before = calls;
          if (second < until) look(second + 1);
        });
      };
      look(from);
    },
  });
  return peakToMean(seconds);
}
