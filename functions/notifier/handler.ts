import middy from '@middy/core';
import { logLine, realClock } from '../runtime/clock.ts';
import { stepFunctions } from '../runtime/callbacks.ts';
import { eventBus } from '../runtime/event-bus.ts';
import { deadLetterQueue } from '../runtime/dead-letters.ts';
import { parseSettings, readEnvironment } from '../settings.ts';
import { readChanges } from '../store/stream.ts';
import type { StreamRecord } from '../store/stream.ts';
import { createNotifier } from './notifier.ts';

const environment = readEnvironment('notifier', process.env);

const notify = createNotifier({
  bus: eventBus(environment.EVENT_BUS_NAME),
  callbacks: stepFunctions(),
  deadLetters: deadLetterQueue(environment.DEAD_LETTER_QUEUE_URL),
  clock: realClock,
  log: logLine,
  settings: parseSettings(environment.SETTINGS),
});

export const handler = middy(async ({ Records }: { Records: StreamRecord[] }) => {
  const { changes, poison } = readChanges(Records);
  for (const item of poison) logLine({ message: 'poison', ...item });
  await notify(changes, poison.length);
});
