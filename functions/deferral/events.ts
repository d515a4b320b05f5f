/** What the deferral function is invoked with, by the service and by the state machine; parsed at its door. */
import * as z from 'zod/mini';
import type { TargetId } from '../core/target.ts';

const text = z.string().check(z.minLength(1));
const id = { queue: text, hashcode: text };

/** Tasks began to wait on these targets: have an execution wait for each that has none that wakes early enough. */
const start = z.strictObject({
  kind: z.literal('start'),
  targets: z.array(
    z.strictObject({
      ...id,
      /** Ids of the tasks; the index may not show them yet. */
      tasks: z.array(text),
      /** One of them wants a poke at once. */
      first: z.boolean(),
    }),
  ),
});

/** Users took tasks away: the last one of a target may have gone. */
const check = z.strictObject({ kind: z.literal('check'), targets: z.array(z.strictObject(id)) });

/** Something happened that may end their waits: poke them now. */
const wake = z.strictObject({ kind: z.literal('wake'), targets: z.array(z.strictObject(id)) });

/** The watchdog of a queue. */
const watch = z.strictObject({ kind: z.literal('watch'), queue: text });

/**
 * One turn of an execution: the state machine's input, and again what it was answered. All that an execution remembers
 * stands in it.
 */
const poke = z.strictObject({
  kind: z.literal('poke'),
  ...id,
  generation: z.number(),
  hop: z.int(),
  /** Pokes that the execution has made. */
  pokes: z.int(),
  /** When it is due, ISO 8601 in UTC: what its Wait state waited for. */
  at: text,
  /** When the execution began, epoch ms. */
  began_at: z.number(),
  /** When all members were last looked at, epoch ms. */
  looked_at: z.number(),
  next: z.exactOptional(z.literal('wait')),
});

export const deferralEvent = z.discriminatedUnion('kind', [start, check, wake, watch, poke]);

export type DeferralEvent = z.infer<typeof deferralEvent>;
export type StartEvent = z.infer<typeof start>;
export type CheckEvent = z.infer<typeof check>;
export type WakeEvent = z.infer<typeof wake>;
export type PokeEvent = z.infer<typeof poke>;

/** What the state machine does next. */
export type PokeAnswer =
  /** Wait until `at`, then give this back. */
  | (PokeEvent & { readonly next: 'wait' })
  /** Nobody waits any more, or a younger execution does. */
  | { readonly next: 'done' }
  /** A new execution goes on: this one's history grows long. */
  | { readonly next: 'handed_over' };

/** @returns the id of the deferrable target that an event names. */
export function targetIdOf({ queue, hashcode }: Pick<TargetId, 'queue' | 'hashcode'>): TargetId {
  return { queue, mode: 'deferrable', hashcode };
}
