import middy from '@middy/core';
import { logLine } from '../runtime/clock.ts';
import { invokeFunction } from '../runtime/invoke.ts';
import { readEnvironment } from '../settings.ts';
import { readChanges } from '../store/stream.ts';
import type { StreamRecord } from '../store/stream.ts';
import { createRouter } from './router.ts';

const environment = readEnvironment('router', process.env);

const route = createRouter({
  workers: invokeFunction(environment.SHARD_WORKER_NAME),
  deferral: invokeFunction(environment.DEFERRAL_NAME),
  log: logLine,
});

export const handler = middy(async ({ Records }: { Records: StreamRecord[] }) => {
  await route(readChanges(Records).changes);
});
