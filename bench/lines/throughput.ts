import { atLeast } from '../row.ts';
import type { Line } from '../row.ts';
import { median } from '../statistics.ts';
import { startS3Stub } from '../stubs/s3.ts';
import { runWorkerChild } from '../worker-child.ts';
import type { WorkerRound } from '../worker-child.ts';

const TARGETS = 5_000;
/** The first of each is for warming up. */
const ROUNDS = 5;

/**
 * Pokes of a whole tick (leases, index, pokes, records) beside as many calls of the bare client, by turns in one process:
 * by the processor time that they take, which neighbours on the machine do not change.
 */
export const throughput: Line = {
  name: 'throughput',
  async run() {
    const s3 = await startS3Stub();
    try {
      const { rounds, pokes } = await runWorkerChild({ targets: TARGETS, ticks: ROUNDS, bare: true }, s3);
      if (pokes < TARGETS * ROUNDS) throw new Error(`only ${pokes} of ${TARGETS * ROUNDS} pokes were made`);
      const [worker, bare] = [ratesOf(rounds, 'worker'), ratesOf(rounds, 'bare')];
      return {
        rows: [
          atLeast('pokes a second of one worker, of those of the bare SDK client', worker.cpu / bare.cpu, 0.8, '1.0'),
        ],
        sheets: [
          {
            title: `calls a second, medians of ${ROUNDS - 1} rounds of ${TARGETS} (404 from a stub on loopback)`,
            columns: ['', 'of processor time', 'of wall time'],
            rows: [
              ['shard worker', worker.cpu, worker.wall],
              ['bare SDK client', bare.cpu, bare.wall],
            ],
          },
        ],
      };
    } finally {
      await s3.stop();
    }
  },
};

function ratesOf(
  rounds: readonly WorkerRound[],
  kind: WorkerRound['kind'],
): { readonly cpu: number; readonly wall: number } {
  const [, ...warm] = rounds.filter((round) => round.kind === kind);
  return {
    cpu: (TARGETS * 1000) / median(warm.map(({ cpuMs }) => cpuMs)),
    wall: (TARGETS * 1000) / median(warm.map(({ wallMs }) => wallMs)),
  };
}
