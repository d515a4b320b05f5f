import { join } from 'node:path';
import { runNode } from '../bundled.ts';
import { atMost } from '../row.ts';
import type { Line } from '../row.ts';

/** What the process is told. */
export interface Night {
  readonly keys: number;
  readonly tasksAKey: number;
  readonly hours: number;
}

/** What it reports. */
export interface NightReport {
  readonly wallMs: number;
  /** Of the thread that runs it, user and system. */
  readonly cpuMs: number;
  /** The most memory that it ever held, bytes. */
  readonly maxRss: number;
  /** Calls by operation. */
  readonly calls: Readonly<Record<string, number>>;
  /** DynamoDB's write units, indexes included, of all records. */
  readonly writes: number;
  /** The longest that a landing went unseen, seconds. */
  readonly latest: number;
}

const NIGHT: Night = { keys: 1000, tasksAKey: 10, hours: 12 };
const MEGABYTE = 1024 * 1024;
const TIMEOUT_MS = 600_000;

/** What is alive is 60 MB; V8 lets garbage lie for as long as it may, and takes more time for less room. */
const HEAP = ['--max-old-space-size=320', '--max-semi-space-size=32'];

/** Not bundled: the simulated world knows the SDK's commands by their names. */
const CHILD = join(import.meta.dirname, '..', 'children', 'night.ts');

/** 10,000 tasks on 1,000 keys, over twelve hours of virtual time: how long it takes, what it holds, what it costs. */
export const night: Line = {
  name: 'night',
  async run() {
    const output = await runNode(CHILD, { args: [JSON.stringify(NIGHT)], node: HEAP, timeoutMs: TIMEOUT_MS });
    const { wallMs, cpuMs, maxRss, calls, writes, latest } = JSON.parse(output) as NightReport;
    const what = '10,000 tasks over 12 virtual hours';
    return {
      rows: [
        // Processor time: what it takes on a machine that has nothing else to do.
        atMost(`${what}: time to run`, cpuMs / 1000, 30, '-', 's'),
        atMost(`${what}: memory`, maxRss / MEGABYTE, 512, '-', 'MB'),
        atMost(`${what}: latest notice of a landing`, latest, 61, '60 s', 's'),
      ],
      sheets: [
        {
          title: 'a night of 10,000 tasks on 1,000 keys, poked every 60 s',
          columns: ['', ''],
          rows: [
            ['wall time, s', wallMs / 1000],
            ['processor time, s', cpuMs / 1000],
            ['write units', writes],
            ['write units a task', writes / (NIGHT.keys * NIGHT.tasksAKey)],
            ...Object.entries(calls),
          ],
        },
      ],
    };
  },
};
