import { atMost } from '../row.ts';
import type { Line } from '../row.ts';
import { startS3Stub } from '../stubs/s3.ts';
import { runWorkerChild } from '../worker-child.ts';

const TARGETS = 10_000;
const MEGABYTE = 1024 * 1024;

/** A function of so many megabytes has to do. */
const FUNCTION_MB = 256;

/**
 * As Lambda starts Node in a function of so many megabytes. V8 takes what it is given before it collects: left to itself,
 * on a machine with plenty, it lets garbage grow to several times what is in use.
 */
const AS_ON_LAMBDA = [
  `--max-semi-space-size=${Math.floor(FUNCTION_MB / 20)}`,
  `--max-old-space-size=${FUNCTION_MB - Math.floor(FUNCTION_MB / 10)}`,
];

/** The most memory that a worker's process ever holds, its code and its runtime included. */
export const memory: Line = {
  name: 'memory',
  async run() {
    const s3 = await startS3Stub();
    try {
      const { maxRss, pokes } = await runWorkerChild({ targets: TARGETS, ticks: 2, bare: false }, s3, AS_ON_LAMBDA);
      if (pokes < TARGETS * 2) throw new Error(`only ${pokes} of ${TARGETS * 2} pokes were made`);
      const what = `memory of a worker with 10,000 targets in a function of ${FUNCTION_MB} MB`;
      return { rows: [atMost(what, maxRss / MEGABYTE, FUNCTION_MB, '-', 'MB')] };
    } finally {
      await s3.stop();
    }
  },
};
