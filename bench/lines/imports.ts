import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_OPEN, OPENED_FILE } from '../../functions/sensors/opened.ts';
import { ENVIRONMENT } from '../../functions/settings.ts';
import type { FunctionName, Variable } from '../../functions/settings.ts';
import { bundleFunction } from '../../lib/bundling.ts';
import { runNode } from '../bundled.ts';
import { atMost } from '../row.ts';
import type { Line } from '../row.ts';
import { median } from '../statistics.ts';

/** Each is loaded so often, by turns. */
const ROUNDS = 7;

const BARE = 'DynamoDB client alone';

/** Bytes; what is not named has no budget. */
const BYTES: Partial<Record<FunctionName, number>> = { api: 450_000, 'shard-worker': 600_000 };

/** A handler reads them as it is loaded. */
const VARIABLES: Readonly<Record<Variable, string>> = {
  TABLE_NAME: 'bench',
  ALLOW_CANCEL: 'false',
  SETTINGS: '{}',
  PAGE_TOKEN_KEY: 'page tokens of a bench',
  SHARD_WORKER_NAME: 'bench',
  POKE_WORKER_NAME: 'bench',
  DEFERRAL_NAME: 'bench',
  STATE_MACHINE_ARN: 'arn:aws:states:us-east-1:000000000000:stateMachine:bench',
  NOTIFIER_NAME: 'bench',
  EVENT_BUS_NAME: 'bench',
};

/** The processor time of loading a script, ms: it is what a cold start pays, and neighbours change it little. */
const LOAD = `const before = process.cpuUsage(); require(process.argv[1]);
const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000);`;

interface Loaded {
  readonly name: string;
  readonly script: string;
  readonly bytes: number;
  readonly ms: number[];
}

/** What a cold start loads: the bytes of each function's bundle, and the time to import it beside the bare client's. */
export const imports: Line = {
  name: 'imports',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'sensorium-imports-'));
    try {
      const root = join(import.meta.dirname, '..', '..');
      const bare = await bundled(folder, BARE, join(root, 'bench', 'children', 'bare-client.ts'));
      const functions: Loaded[] = [];
      for (const name of Object.keys(ENVIRONMENT)) {
        functions.push(await bundled(folder, name, join(root, 'functions', name, 'handler.ts')));
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const { script, ms } of [bare, ...functions]) ms.push(await loadMs(script));
      }
      return { rows: rowsOf(bare, functions), sheets: [sheetOf(bare, functions)] };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function bundled(folder: string, name: string, entry: string): Promise<Loaded> {
  const home = join(folder, name.replaceAll(' ', '-'));
  const files = bundleFunction(entry, home);
  await writeFile(join(home, OPENED_FILE), JSON.stringify(ALL_OPEN));
  const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size));
  return { name, script: join(home, 'index.js'), bytes: sizes.reduce((a, b) => a + b), ms: [] };
}

async function loadMs(script: string): Promise<number> {
  return Number(await runNode('-e', { args: [LOAD, script], env: VARIABLES, timeoutMs: 60_000 }));
}

function rowsOf(bare: Loaded, functions: readonly Loaded[]) {
  const budgets: Readonly<Record<string, number>> = BYTES;
  const sizes = functions.flatMap(({ name, bytes }) => {
    const most = budgets[name];
    return most === undefined ? [] : [atMost(`bundle of ${name}`, bytes, most, '-', 'bytes')];
  });
  const slowest = functions.reduce((a, b) => (timesBare(a, bare) > timesBare(b, bare) ? a : b));
  const times = timesBare(slowest, bare);
  return [
    ...sizes,
    atMost(`import of the slowest function (${slowest.name}), of the bare client's`, times, 1.6, '1.0'),
  ];
}

function timesBare({ ms }: Loaded, bare: Loaded): number {
  return median(ms) / median(bare.ms);
}

function sheetOf(bare: Loaded, functions: readonly Loaded[]) {
  return {
    title: `what a cold start loads, medians of ${ROUNDS}`,
    columns: ['', 'bytes', 'ms of processor time', 'times the bare client'],
    rows: [bare, ...functions].map((one) => [one.name, one.bytes, median(one.ms), timesBare(one, bare)]),
  };
}
