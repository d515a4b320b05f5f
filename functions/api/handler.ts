import middy from '@middy/core';
import { logLine, newTaskId, realClock } from '../runtime/clock.ts';
import { openJoiningStore } from '../runtime/joining-store.ts';
import { readOpened } from '../runtime/opened.ts';
import { parseFlag, parseKey, parseSettings, readEnvironment } from '../settings.ts';
import { createApi } from './api.ts';

const environment = readEnvironment('api', process.env);

const settings = parseSettings(environment.SETTINGS);

const api = createApi({
  store: openJoiningStore(environment.TABLE_NAME, settings),
  clock: realClock,
  newId: newTaskId,
  log: logLine,
  settings,
  opened: readOpened(),
  allowCancel: parseFlag('ALLOW_CANCEL', environment.ALLOW_CANCEL),
  pageTokenKey: parseKey(environment.PAGE_TOKEN_KEY),
});

export const handler = middy(api);
