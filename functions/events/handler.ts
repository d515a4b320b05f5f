import middy from '@middy/core';
import { logLine, realClock } from '../runtime/clock.ts';
import { invokeFunction } from '../runtime/invoke.ts';
import { openStore } from '../runtime/store.ts';
import { sensorCatalog } from '../sensors/registry.ts';
import { readEnvironment } from '../settings.ts';
import { createEvents } from './events.ts';
import { createRecent } from './recent.ts';
import { createSpending } from './spending.ts';

const environment = readEnvironment('events', process.env);

const hear = createEvents({
  store: openStore(environment.TABLE_NAME),
  sensors: sensorCatalog,
  workers: invokeFunction(environment.SHARD_WORKER_NAME),
  deferral: invokeFunction(environment.DEFERRAL_NAME),
  recent: createRecent(),
  spending: createSpending(),
  clock: realClock,
  log: logLine,
});

export const handler = middy((event: unknown) => hear(event));
