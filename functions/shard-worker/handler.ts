import middy from '@middy/core';
import { logLine, newOpId, realClock } from '../runtime/clock.ts';
import { invokeFunction } from '../runtime/invoke.ts';
import { readOpened } from '../runtime/opened.ts';
import { openSensors } from '../runtime/sensors.ts';
import { openJoiningStore } from '../runtime/joining-store.ts';
import { parseSettings, readEnvironment } from '../settings.ts';
import { createShardWorker } from './worker.ts';

const environment = readEnvironment('shard-worker', process.env);

const settings = parseSettings(environment.SETTINGS);

const work = createShardWorker({
  store: openJoiningStore(environment.TABLE_NAME, settings),
  sensors: openSensors(settings, readOpened()),
  clock: realClock,
  newId: newOpId,
  log: logLine,
  settings,
  runs: invokeFunction(environment.POKE_WORKER_NAME),
});

export const handler = middy((event: unknown) => work(event));
