import type { Context } from 'aws-lambda';
import middy from '@middy/core';
import { logLine, newOpId, realClock } from '../runtime/clock.ts';
import { invokeFunction } from '../runtime/invoke.ts';
import { readOpened } from '../runtime/opened.ts';
import { openSensors } from '../runtime/sensors.ts';
import { openStore } from '../runtime/store.ts';
import { parseSettings, readEnvironment } from '../settings.ts';
import { createPokeWorker } from './poke-worker.ts';

const environment = readEnvironment('poke-worker', process.env);

const settings = parseSettings(environment.SETTINGS);

const store = openStore(environment.TABLE_NAME, settings.shards);

const sensors = openSensors(settings, readOpened());

const deps = { store, sensors, clock: realClock, newId: newOpId, log: logLine, settings };

// A run hands over to its own function, whose name the template cannot give to itself.
export const handler = middy((event: unknown, { functionName }: Context) =>
  createPokeWorker({ ...deps, runs: invokeFunction(functionName) })(event),
);
