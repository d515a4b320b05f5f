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
  /** This worker's share of the rate budgets: calls per second, by API or operation. */
  budgets: z.record(z.string(), budget),
});

/** Targets whose first poke is wanted at once, with tasks that the index may not show yet. */
const firstPokes = z.strictObject({
  kind: z.literal('first_pokes'),
  targets: z.array(z.strictObject({ ...targetId, tasks: z.array(text) })),
});

/** The hourly backstop for a queue. */
const sweep = z.strictObject({ kind: z.literal('sweep'), queue: text });

export const workerEvent = z.discriminatedUnion('kind', [tick, firstPokes, sweep]);

export type WorkerEvent = z.infer<typeof workerEvent>;
export type TickEvent = z.infer<typeof tick>;
export type FirstPokesEvent = z.infer<typeof firstPokes>;
export type Budgets = TickEvent['budgets'];
