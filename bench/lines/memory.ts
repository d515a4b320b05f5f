import { atMost } from '../row.ts';
import type { Line } from '../row.ts';
import { startS3Stub } from '../stubs/s3.ts';
import { runWorkerChild } from '../worker-child.ts';

const TARGETS = 10_000;
const MEGABYTE = 1024 * 1024;

/** The most memory that a worker's process ever holds, its code and its runtime included. */
export const memory: Line = {
  name: 'memory',
  async run() {
    const s3 = await startS3Stub();
    try {
      const { maxRss, pokes } = await runWorkerChild({ targets: TARGETS, ticks: 2, bare: false }, s3);
      if (pokes < TARGETS * 2) throw new Error(`only ${pokes} of ${TARGETS * 2} pokes were made`);
      return { rows: [atMost('memory of a worker with 10,000 targets', maxRss / MEGABYTE, 256, '-', 'MB')] };
    } finally {
      await s3.stop();
    }
  },
};
