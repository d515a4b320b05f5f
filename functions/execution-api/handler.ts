import middy from '@middy/core';
import { logLine, realClock } from '../runtime/clock.ts';
import { openStore } from '../runtime/store.ts';
import { readEnvironment } from '../settings.ts';
import { createExecutionApi } from './execution-api.ts';

const environment = readEnvironment('execution-api', process.env);

export const handler = middy(
  createExecutionApi({ store: openStore(environment.TABLE_NAME), clock: realClock, log: logLine }),
);
