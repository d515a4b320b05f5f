import middy from '@middy/core';
import { logLine, realClock } from '../runtime/clock.ts';
import { createExecutions } from '../runtime/executions.ts';
import { readOpened } from '../runtime/opened.ts';
import { openSensors } from '../runtime/sensors.ts';
import { openJoiningStore } from '../runtime/joining-store.ts';
import { parseSettings, readEnvironment } from '../settings.ts';
import { createDeferral } from './deferral.ts';

const environment = readEnvironment('deferral', process.env);

const settings = parseSettings(environment.SETTINGS);

const defer = createDeferral({
  store: openJoiningStore(environment.TABLE_NAME, settings),
  sensors: openSensors(settings, readOpened()),
  executions: createExecutions(environment.STATE_MACHINE_ARN),
  clock: realClock,
  log: logLine,
  settings,
});

export const handler = middy((event: unknown) => defer(event));
