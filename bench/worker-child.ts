/** Runs a shard worker in a process of its own, against stubs on loopback. */
import { createApi } from '../functions/api/api.ts';
import { DEFAULT_SETTINGS } from '../functions/settings.ts';
import { createMemoryTable } from '../functions/store/memory-table.ts';
import { createStore } from '../functions/store/create-store.ts';
import { ALL_OPEN } from '../functions/sensors/opened.ts';
import type { Table } from '../functions/store/table.ts';
import { apiEvent } from '../simulator/requests.ts';
import { runBundled } from './bundled.ts';
import { times } from './play-out.ts';
import { startDynamoDBStub } from './stubs/dynamodb.ts';
import type { Stub } from './stubs/server.ts';

/** What the process is told. */
export interface WorkerChild {
  /** Targets that are due in each tick. */
  readonly targets: number;
  readonly ticks: number;
  /** Whether as many calls of the bare client come before each tick. */
  readonly bare: boolean;
}

export interface WorkerRound {
  readonly kind: 'bare' | 'worker';
  readonly wallMs: number;
  /** Of the process, user and system. */
  readonly cpuMs: number;
}

/** What it reports. */
export interface WorkerReport {
  readonly rounds: readonly WorkerRound[];
  readonly pokes: number;
  /** Bytes of log lines. */
  readonly logged: number;
  /** The most memory that it ever held, bytes. */
  readonly maxRss: number;
}

const TIMEOUT_MS = 600_000;

/** @param s3 where its pokes go @param node options of Node itself */
export async function runWorkerChild(
  child: WorkerChild,
  s3: Stub,
  node: readonly string[] = [],
): Promise<WorkerReport> {
  const dynamodb = await startDynamoDBStub(await waitingTable(child.targets));
  try {
    const output = await runBundled('worker', {
      args: [JSON.stringify(child)],
      env: { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url, AWS_ENDPOINT_URL_S3: s3.url },
      node,
      timeoutMs: TIMEOUT_MS,
    });
    return JSON.parse(output) as WorkerReport;
  } finally {
    await dynamodb.stop();
  }
}

/** A table in which so many tasks wait for as many keys, since an hour. */
async function waitingTable(targets: number): Promise<Table> {
  const table = createMemoryTable();
  const anHourAgo = Date.now() - 3_600_000;
  let ids = 0;
  const newId = () => `op-${(ids += 1)}`;
  const api = createApi({
    store: createStore({ table, newId, shards: DEFAULT_SETTINGS.shards }),
    clock: { now: () => anHourAgo, sleep: () => Promise.resolve() },
    newId,
    log: () => undefined,
    settings: DEFAULT_SETTINGS,
    opened: ALL_OPEN,
    pageTokenKey: 'page tokens of a bench',
  });
  const tasks = times(targets, (n) => ({
    id: `t-${n}`,
    sensor: { type: 's3_key', bucket: 'landing', key: `part-${n}` },
  }));
  for (let from = 0; from < targets; from += 500) {
    const event = apiEvent('POST', '/v1/tasks', { tasks: tasks.slice(from, from + 500) });
    if (event === undefined) throw new Error('no such route');
    const { statusCode, body } = await api(event);
    if (statusCode !== 201) throw new Error(body);
  }
  return table;
}
