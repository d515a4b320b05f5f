/**
 * The notifier: tells the bus of every transition to an end or to up_for_retry, and the execution that waits for a task
 * of its end; at least once, from the table's stream (DESIGN, section 7). Only committed transitions are in the stream, so
 * no alert precedes its fact. Whoever cannot be told at once is marked in the table, and told again (retell.ts).
 */
import { tokenDigest } from '../core/identity.ts';
import { pauseAfter } from '../core/untold.ts';
import type { Receiver, Untold } from '../core/untold.ts';
import { counted, metricLine } from '../metrics.ts';
import type { Callbacks, Clock, Log } from '../ports.ts';
import type { ServiceSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { StreamChange } from '../store/stream.ts';
import { callbacksOf } from './callbacks.ts';
import type { Callback } from './callbacks.ts';
import { deliver, twice } from './deliver.ts';
import type { Send } from './deliver.ts';
import { eventOf } from './event.ts';
import { toBus, toExecutions } from './receivers.ts';
import type { Bus } from './receivers.ts';

export interface NotifierDeps {
  readonly store: Pick<Store, 'addUntold'>;
  readonly bus: Bus;
  readonly callbacks: Callbacks;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Pick<ServiceSettings, 'metrics_namespace'>;
}

/** Before the second try of what was refused, ms. A throttle is over by then; an outage is none of the stream's business. */
const AGAIN_MS = 500;

/** After this, ms, the rest of a batch is marked and told later: other batches wait behind this one. */
const BUDGET_MS = 45_000;

/** How many are told of a batch, and how many are told later. */
interface Outcome {
  readonly told: number;
  readonly putOff: number;
}

/**
 * @returns a function that takes the changes of one stream batch, and how many records of it nobody could read; it rejects
 * only when somebody is not told and the table did not take that either
 */
export function createNotifier(
  deps: NotifierDeps,
): (changes: readonly StreamChange[], unreadable?: number) => Promise<void> {
  const { bus, callbacks, clock, log, settings } = deps;
  return async (changes, unreadable = 0) => {
    const events = changes.flatMap((change) => eventOf(change) ?? []);
    const waiting = changes.flatMap(callbacksOf);
    // Neither waits for the other: who is told by an execution does not depend on the bus.
    const outcomes = await Promise.allSettled([
      tellOrMark(deps, 'bus', events, toBus(bus), (fact) => ({ fact })),
      tellOrMark(deps, 'execution', waiting, toExecutions(callbacks), ofCallback),
    ]);
    if (events.length + waiting.length + unreadable > 0) {
      // What rejects comes again, and is counted then.
      const counts = outcomes.every(({ status }) => status === 'fulfilled')
        ? { alerts_sent: sum(outcomes, 'told'), alerts_put_off: sum(outcomes, 'putOff') }
        : {};
      const fields = { message: 'notified', events: events.length, callbacks: waiting.length };
      const metrics = counted({ ...counts, poison: unreadable });
      log(metricLine(settings.metrics_namespace, {}, metrics, fields, clock.now()));
    }
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  };
}

function sum(outcomes: readonly PromiseSettledResult<Outcome>[], of: keyof Outcome): number {
  return outcomes.reduce((all, one) => all + (one.status === 'fulfilled' ? one.value[of] : 0), 0);
}

/** Tells at once, or has it told later. */
async function tellOrMark<Item>(
  { store, clock, log }: NotifierDeps,
  receiver: Receiver,
  items: readonly Item[],
  send: Send<Item>,
  about: (item: Item) => Pick<Untold, 'fact' | 'token' | 'result'>,
): Promise<Outcome> {
  const until = clock.now() + BUDGET_MS;
  const insisting = twice(send, () => clock.sleep(AGAIN_MS));
  const { refused, untried } = await deliver(items, insisting, 1, () => clock.now() >= until);
  const now = clock.now();
  const mark = (item: Item, tries: number, why: string): Untold => {
    return { receiver, ...about(item), since: now, tries, why, wake_at: now + pauseAfter(tries) };
  };
  const marks = [
    ...refused.map(({ item, why }) => mark(item, 1, why)),
    ...untried.map((item) => mark(item, 0, 'not tried')),
  ];
  if (marks.length > 0) {
    log({ message: 'told later', receiver, why: marks[0]?.why, first: marks[0]?.fact.id, marks: marks.length });
    await store.addUntold(marks);
  }
  return { told: items.length - marks.length, putOff: marks.length };
}

function ofCallback({ detail, token, result }: Callback): Pick<Untold, 'fact' | 'token' | 'result'> {
  return { fact: detail, token: tokenDigest(token), ...(result === undefined ? {} : { result }) };
}
