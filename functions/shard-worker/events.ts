/** What a shard worker is invoked with; parsed at its door. */
import * as z from 'zod/mini';
import { MODES } from '../core/task.ts';

const text = z.string().check(z.minLength(1));
const targetId = { queue: text, mode: z.enum(MODES), hashcode: text };
const budget = z.strictObject({ rate: z.number(), burst: z.number() });

/** One tick of some shards of a queue. */
const tick = z.strictObject({
  kind: z.literal('tick'),
  queue: text,
  shards: z.array(z.int().check(z.nonnegative())),
  /** All pokes due up to here belong to the tick, epoch ms. */
  to: z.number(),
  /** The queue's rate budgets as they are now: calls per second, by API or operation. */
  budgets: z.record(z.string(), budget),
  /** How many tasks that poke for themselves may be started; missing: the worker claims the slots that it needs. */
  starts: z.exactOptional(z.int().check(z.nonnegative())),
});

/** Targets whose first poke is wanted at once, with tasks that the index may not show yet. */
const firstPokes = z.strictObject({
  kind: z.literal('first_pokes'),
  targets: z.array(z.strictObject({ ...targetId, tasks: z.array(text) })),
});

/** Tasks that poke for themselves and have just begun a try: started at once, as far as their queue has room. */
const firstRuns = z.strictObject({
  kind: z.literal('first_runs'),
  queue: text,
  /** The nearest deadline first. */
  tasks: z.array(z.strictObject({ id: text, try_number: z.int().check(z.gte(1)) })),
});

/** The hourly backstop for a queue. */
const sweep = z.strictObject({ kind: z.literal('sweep'), queue: text });

export const workerEvent = z.discriminatedUnion('kind', [tick, firstPokes, firstRuns, sweep]);

export type WorkerEvent = z.infer<typeof workerEvent>;
export type TickEvent = z.infer<typeof tick>;
export type FirstPokesEvent = z.infer<typeof firstPokes>;
export type FirstRunsEvent = z.infer<typeof firstRuns>;
