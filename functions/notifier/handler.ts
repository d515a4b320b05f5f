import middy from '@middy/core';
import { logLine, realClock } from '../runtime/clock.ts';
import { stepFunctions } from '../runtime/callbacks.ts';
import { eventBus } from '../runtime/event-bus.ts';
import { openStore } from '../runtime/store.ts';
import { parseSettings, readEnvironment } from '../settings.ts';
import { readChanges } from '../store/stream.ts';
import type { StreamRecord } from '../store/stream.ts';
import { createNotifier } from './notifier.ts';
import { createRetell } from './retell.ts';
import type { RetellEvent } from './retell.ts';

const environment = readEnvironment('notifier', process.env);

const deps = {
  store: openStore(environment.TABLE_NAME),
  bus: eventBus(environment.EVENT_BUS_NAME),
  callbacks: stepFunctions(),
  clock: realClock,
  log: logLine,
  settings: parseSettings(environment.SETTINGS),
};

const notify = createNotifier(deps);
const retell = createRetell(deps);

export const handler = middy(async (event: { Records: StreamRecord[] } | RetellEvent) => {
  if (!('Records' in event)) return retell(event);
  const { changes, poison } = readChanges(event.Records);
  for (const item of poison) logLine({ message: 'poison', ...item });
  return notify(changes, poison.length);
});
