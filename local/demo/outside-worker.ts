import { setTimeout as sleep } from 'node:timers/promises';
import type { SensoriumClient } from '../../client/index.ts';

const LOOK_EVERY_MS = 1_000;

/** Plays the worker of an external task: its first try fails, its second one succeeds. */
export async function workOutside(api: SensoriumClient, id: string, signal: AbortSignal): Promise<void> {
  const owner = { hostname: 'demo', unixname: 'demo', pid: process.pid };
  await api.run(`${id}~1`, owner);
  await api.state(`${id}~1`, { state: 'failed', reason: 'The first try fails.' });
  while ((await api.get(id)).state !== 'queued') await sleep(LOOK_EVERY_MS, undefined, { signal });
  await api.run(`${id}~2`, owner);
  await api.state(`${id}~2`, { state: 'success' });
}
