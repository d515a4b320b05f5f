import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from './api-client.ts';

const LOOK_EVERY_MS = 1_000;

/** Plays the worker of an external task: its first try fails, its second one succeeds. */
export async function workOutside(api: ApiClient, id: string, signal: AbortSignal): Promise<void> {
  const owner = { hostname: 'demo', unixname: 'demo', pid: process.pid };
  await api.execution(`${id}~1`, 'run', owner);
  await api.execution(`${id}~1`, 'state', { state: 'failed', reason: 'The first try fails.' });
  while ((await api.task(id)).state !== 'queued') await sleep(LOOK_EVERY_MS, undefined, { signal });
  await api.execution(`${id}~2`, 'run', owner);
  await api.execution(`${id}~2`, 'state', { state: 'success' });
}
