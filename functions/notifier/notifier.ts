/**
 * The notifier: tells the bus of every transition to an end or to up_for_retry, and the execution that waits for a task
 * of its end; at least once, from the table's stream (DESIGN, section 7). Only committed transitions are in the stream, so
 * no alert precedes its fact.
 */
import pLimit from 'p-limit';
import { counted, metricLine } from '../metrics.ts';
import type { Callbacks, Clock, Log } from '../ports.ts';
import type { ServiceSettings } from '../settings.ts';
import type { StreamChange } from '../store/stream.ts';
import { callbacksOf, tell } from './callbacks.ts';
import type { Callback } from './callbacks.ts';
import { eventOf } from './event.ts';
import type { StateChanged } from './event.ts';
import { insist } from './insist.ts';
import type { Refused } from './insist.ts';

/** Where notifications go. */
export interface Bus {
  /** Publishes up to 10 events. @returns those that were refused, with why. Rejects when none was taken. */
  publish(events: readonly StateChanged[]): Promise<readonly { readonly event: StateChanged; readonly why: string }[]>;
}

/** What could not be delivered: an event, or the callback of a task, whose tokens stay in the table. */
export type DeadLetter =
  | { readonly why: string; readonly event: StateChanged }
  | { readonly why: string; readonly callback: StateChanged };

/** Where goes what could not be delivered. */
export interface DeadLetters {
  send(letter: DeadLetter): Promise<void>;
}

export interface NotifierDeps {
  readonly bus: Bus;
  readonly callbacks: Callbacks;
  readonly deadLetters: DeadLetters;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Pick<ServiceSettings, 'metrics_namespace'>;
}

/** PutEvents takes so many entries. */
const BATCH = 10;

/** Waits before the second, third, ... try to publish, ms. */
const EVENT_WAITS_MS = [200, 1000, 3000];

/** Executions that are told at the same time: some 300 a second, of 500 that Step Functions takes. */
const CALLBACKS_AT_ONCE = 10;

/** The same for callbacks: whoever is throttled after a large fan-out has some seconds' worth before it. */
const CALLBACK_WAITS_MS = [500, 2000, 6000, 15_000];

/**
 * @returns a function that takes the changes of one stream batch, and how many records of it nobody could read; it rejects
 * only when not even the dead letters took it
 */
export function createNotifier(
  deps: NotifierDeps,
): (changes: readonly StreamChange[], unreadable?: number) => Promise<void> {
  return async (changes, unreadable = 0) => {
    const events = changes.flatMap((change) => eventOf(change) ?? []);
    const callbacks = changes.flatMap(callbacksOf);
    // Neither waits for the other: who is told by an execution does not depend on the bus.
    const outcomes = await Promise.allSettled([publishAll(deps, events), tellAll(deps, callbacks)]);
    const wanted = events.length + callbacks.length;
    if (wanted + unreadable > 0) {
      const { clock, log, settings } = deps;
      const undeliverable = outcomes.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0);
      // What rejects comes again, and is counted then.
      const alerts_sent = outcomes.every(({ status }) => status === 'fulfilled') ? wanted - undeliverable : 0;
      const fields = { message: 'notified', events: events.length, callbacks: callbacks.length };
      const metrics = counted({ alerts_sent, undeliverable, poison: unreadable });
      log(metricLine(settings.metrics_namespace, {}, metrics, fields, clock.now()));
    }
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  };
}

/** @returns how many could not be delivered. */
async function publishAll(deps: NotifierDeps, events: readonly StateChanged[]): Promise<number> {
  let buried = 0;
  for (let from = 0; from < events.length; from += BATCH) {
    const refused = await insist(deps.clock, events.slice(from, from + BATCH), EVENT_WAITS_MS, (open) =>
      publish(deps.bus, open),
    );
    for (const { item, why } of refused) await bury(deps, { why, event: item });
    buried += refused.length;
  }
  return buried;
}

async function publish(bus: Bus, open: readonly StateChanged[]): Promise<readonly Refused<StateChanged>[]> {
  try {
    return (await bus.publish(open)).map(({ event, why }) => ({ item: event, why }));
  } catch (error) {
    return open.map((item) => ({ item, why: String(error) }));
  }
}

/** @returns how many could not be told. */
async function tellAll(deps: NotifierDeps, callbacks: readonly Callback[]): Promise<number> {
  const refused = await insist(deps.clock, callbacks, CALLBACK_WAITS_MS, async (open) => {
    const answers = await pLimit(CALLBACKS_AT_ONCE).map(open, (item) => tellOne(deps.callbacks, item));
    return answers.flatMap((answer) => answer ?? []);
  });
  for (const { item, why } of refused) await bury(deps, { why, callback: item.detail });
  return refused.length;
}

async function tellOne(callbacks: Callbacks, item: Callback): Promise<Refused<Callback> | undefined> {
  try {
    await tell(callbacks, item);
    return undefined;
  } catch (error) {
    // The name alone: a message may repeat what was sent, and that is the token.
    return { item, why: error instanceof Error ? error.name : 'no answer' };
  }
}

async function bury({ deadLetters, log }: NotifierDeps, letter: DeadLetter): Promise<void> {
  const { id } = 'event' in letter ? letter.event : letter.callback;
  log({ message: 'undeliverable', what: 'event' in letter ? 'event' : 'callback', id, why: letter.why });
  await deadLetters.send(letter);
}
