import middy from '@middy/core';
import { logLine, realClock } from '../runtime/clock.ts';
import { invokeFunction } from '../runtime/invoke.ts';
import { openStore } from '../runtime/store.ts';
import { parseSettings, readEnvironment } from '../settings.ts';
import { createDispatcher } from './dispatcher.ts';

const environment = readEnvironment('dispatcher', process.env);

const settings = parseSettings(environment.SETTINGS);

const dispatch = createDispatcher({
  store: openStore(environment.TABLE_NAME, settings.shards),
  clock: realClock,
  workers: invokeFunction(environment.SHARD_WORKER_NAME),
  deferral: invokeFunction(environment.DEFERRAL_NAME),
  notifier: invokeFunction(environment.NOTIFIER_NAME),
  log: logLine,
  settings,
});

export const handler = middy(() => dispatch());
