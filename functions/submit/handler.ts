import middy from '@middy/core';
import { stepFunctions } from '../runtime/callbacks.ts';
import { logLine, newTaskId, realClock } from '../runtime/clock.ts';
import { openJoiningStore } from '../runtime/joining-store.ts';
import { readOpened } from '../runtime/opened.ts';
import { parseFlag, parseSettings, readEnvironment } from '../settings.ts';
import { createSubmitAndWait } from './submit-and-wait.ts';

const environment = readEnvironment('submit', process.env);

const settings = parseSettings(environment.SETTINGS);

const submitAndWait = createSubmitAndWait({
  store: openJoiningStore(environment.TABLE_NAME, settings),
  callbacks: stepFunctions(),
  clock: realClock,
  newId: newTaskId,
  log: logLine,
  settings,
  opened: readOpened(),
  allowCancel: parseFlag('ALLOW_CANCEL', environment.ALLOW_CANCEL),
});

export const handler = middy(submitAndWait);
