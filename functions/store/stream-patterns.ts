/**
 * What the readers of the table's stream ask for: patterns over its records, for the deployed readers and for the
 * simulator's. A record that matches one of a reader's patterns reaches it.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
import { TERMINAL_STATES } from '../core/task.ts';
import type { Mode, State } from '../core/task.ts';
import { PREFIXES, PRIMARY_KEY } from './keys.ts';

/** What a value may be: itself, a text that begins so, or (where there is one) none of these. */
export type Rule = string | boolean | { readonly prefix: string } | { readonly 'anything-but': readonly string[] };

/** An item as the stream writes it: of each attribute its type and what it may be. */
export type ItemPattern = Readonly<
  Record<string, { readonly S: readonly Rule[] } | { readonly BOOL: readonly Rule[] }>
>;

export interface StreamPattern {
  readonly eventName: readonly ('INSERT' | 'MODIFY')[];
  readonly dynamodb: { readonly Keys: ItemPattern; readonly NewImage: ItemPattern; readonly OldImage?: ItemPattern };
}

/** Modes whose tasks are run by a worker of their own. */
const OWN_WORKER: readonly Mode[] = ['poke', 'reschedule'];

const SMART: readonly State[] = ['sensing'];
const ON_TARGET: readonly State[] = ['sensing', 'deferred'];

/**
 * The router's. A try begins to wait: of a new task, of one that comes back, of one that waits already and is cleared.
 * And a deferred one ends: if a user has ended it, its execution may be over. (A reader has five patterns at most.)
 */
export const ROUTED: readonly StreamPattern[] = [
  { eventName: ['INSERT'], dynamodb: task(ON_TARGET) },
  { eventName: ['MODIFY'], dynamodb: { ...task(ON_TARGET), ...was([{ 'anything-but': SMART }]) } },
  { eventName: ['MODIFY'], dynamodb: task(SMART, { first_poke: { BOOL: [true] } }) },
  { eventName: ['MODIFY'], dynamodb: { ...task(TERMINAL_STATES), ...was(['deferred']) } },
  { eventName: ['INSERT', 'MODIFY'], dynamodb: task(['queued'], { mode: { S: OWN_WORKER } }) },
];

/** The notifier's: the ends of a task, and a try that failed. */
export const TOLD: readonly StreamPattern[] = [
  { eventName: ['INSERT', 'MODIFY'], dynamodb: task([...TERMINAL_STATES, 'up_for_retry']) },
];

/** A task that is in one of these states now. */
function task(states: readonly State[], attributes: ItemPattern = {}): StreamPattern['dynamodb'] {
  return {
    Keys: { [PRIMARY_KEY]: { S: [{ prefix: PREFIXES.task }] } },
    NewImage: { state: { S: states }, ...attributes },
  };
}

function was(states: readonly Rule[]): { readonly OldImage: ItemPattern } {
  return { OldImage: { state: { S: states } } };
}
