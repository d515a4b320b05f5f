/**
 * The notifier: tells the bus of every transition to an end or to up_for_retry, at least once, from the table's stream
 * (DESIGN, section 7). Only committed transitions are in the stream, so no alert precedes its fact.
 */
import { isTerminal, tryId } from '../core/task.ts';
import type { State, Task } from '../core/task.ts';
import type { Clock, Log } from '../ports.ts';
import type { StreamChange } from '../store/stream.ts';

/** The detail of a `Task State Changed` event. Instants are ISO 8601. */
export interface StateChanged {
  /** One id for one fact; deliveries may repeat: `<task id>~<try_number>#<state>`. */
  readonly id: string;
  readonly task_id: string;
  readonly try_id: string;
  readonly try_number: number;
  readonly max_tries: number;
  readonly state: State;
  readonly previous_state: State | 'none';
  readonly queue: string;
  readonly mode: string;
  readonly sensor: string;
  readonly at: string;
  readonly reason?: string;
  readonly next_retry_at?: string;
  readonly coordinates?: Task['coordinates'];
  readonly tags?: Task['tags'];
}

/** Where notifications go. */
export interface Bus {
  /** Publishes up to 10 events. @returns those that were refused, with why. Rejects when none was taken. */
  publish(events: readonly StateChanged[]): Promise<readonly { readonly event: StateChanged; readonly why: string }[]>;
}

/** Where goes what could not be delivered. */
export interface DeadLetters {
  send(event: StateChanged, why: string): Promise<void>;
}

export interface NotifierDeps {
  readonly bus: Bus;
  readonly deadLetters: DeadLetters;
  readonly clock: Clock;
  readonly log: Log;
}

/** PutEvents takes so many entries. */
const BATCH = 10;

/** Waits before the second, third, ... try to publish, ms. */
const BACK_OFF_MS = [200, 1000, 3000];

/** @returns a function that takes the changes of one stream batch; it rejects only when not even the dead letters took it. */
export function createNotifier(deps: NotifierDeps): (changes: readonly StreamChange[]) => Promise<void> {
  return async (changes) => {
    const events = changes.flatMap((change) => eventOf(change) ?? []);
    for (let from = 0; from < events.length; from += BATCH) {
      await deliver(deps, events.slice(from, from + BATCH));
    }
    if (events.length > 0) deps.log({ message: 'notified', events: events.length });
  };
}

/** @returns the event that a change is worth, or undefined: nobody needs to know. */
export function eventOf({ before, after }: StreamChange): StateChanged | undefined {
  if (after === undefined || !(isTerminal(after.state) || after.state === 'up_for_retry')) return undefined;
  if (before?.state === after.state && before.try_number === after.try_number) return undefined;
  const { coordinates, tags, reason, next_retry_at } = after;
  return {
    id: `${tryId(after)}#${after.state}`,
    task_id: after.id,
    try_id: tryId(after),
    try_number: after.try_number,
    max_tries: after.max_tries,
    state: after.state,
    previous_state: before?.state ?? 'none',
    queue: after.queue,
    mode: after.mode,
    sensor: after.sensor.type,
    at: new Date(after.updated_at).toISOString(),
    ...(reason === undefined ? {} : { reason }),
    ...(next_retry_at === undefined ? {} : { next_retry_at: new Date(next_retry_at).toISOString() }),
    ...(Object.keys(coordinates).length === 0 ? {} : { coordinates }),
    ...(tags === undefined ? {} : { tags }),
  };
}

async function deliver({ bus, deadLetters, clock, log }: NotifierDeps, events: readonly StateChanged[]): Promise<void> {
  let open = events.map((event) => ({ event, why: '' }));
  for (let attempt = 0; open.length > 0; attempt += 1) {
    const wait = attempt === 0 ? 0 : BACK_OFF_MS[attempt - 1];
    if (wait === undefined) break;
    if (wait > 0) await clock.sleep(wait);
    open = await publish(bus, open);
  }
  for (const { event, why } of open) {
    log({ message: 'undeliverable', id: event.id, why });
    await deadLetters.send(event, why);
  }
}

async function publish(
  bus: Bus,
  open: readonly { readonly event: StateChanged }[],
): Promise<{ event: StateChanged; why: string }[]> {
  try {
    return [...(await bus.publish(open.map(({ event }) => event)))];
  } catch (error) {
    return open.map(({ event }) => ({ event, why: String(error) }));
  }
}
