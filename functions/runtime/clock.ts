/** What the real world gives: time, chance, names and the log. The simulator gives its own. */
import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock, Log, NewId, Random } from '../ports.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  // Not the one of node:timers/promises: every poke calls one off, and that makes an error with a stack for each.
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake);
    });
  },
};

export const realRandom: Random = () => Math.random();

/** Ids of workers and of single writes: unique, in no order. */
export const newOpId: NewId = () => randomUUID();

/** Ids of tasks: UUIDv7, in the order of their time. */
export const newTaskId: NewId = () => v7();

/**
 * One line of JSON on standard output. Lambda's text format puts the time and the request before it, and CloudWatch finds
 * the metrics of `functions/metrics.ts` in it all the same; its JSON format would wrap the line, and hide them.
 */
export const logLine: Log = (entry) => {
  console.log(JSON.stringify(entry));
};
