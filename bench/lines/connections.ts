import { atMost } from '../row.ts';
import type { Line } from '../row.ts';
import { startS3Stub } from '../stubs/s3.ts';
import { runWorkerChild } from '../worker-child.ts';

const TARGETS = 4000;
const TICKS = 5;
/** One answer in ten is a 500 or a 503, the others are 404s. */
const ERRORS_IN = 10;

/** Connections that a worker opens to S3: no more than are in use at one time, whatever the answers. */
export const connections: Line = {
  name: 'connections',
  async run() {
    const s3 = await startS3Stub(ERRORS_IN);
    try {
      const { pokes } = await runWorkerChild({ targets: TARGETS, ticks: TICKS, bare: false }, s3);
      const { opened, peak } = s3.connections();
      return {
        rows: [
          atMost(
            `connections opened in ${pokes} pokes, 404s and errors included`,
            opened,
            peak,
            'sockets in use at one time',
          ),
        ],
      };
    } finally {
      await s3.stop();
    }
  },
};
