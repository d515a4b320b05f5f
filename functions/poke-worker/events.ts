/** What a poke worker is invoked with; parsed at its door. */
import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));

/** One run of a task that pokes for itself. It does nothing unless the task waits for a worker in that very try. */
export const pokeWorkerEvent = z.strictObject({
  kind: z.literal('run'),
  task_id: text,
  try_number: z.int().check(z.gte(1)),
  /** When the run pokes first, epoch ms: the run before has made all pokes that were due. Missing: at once. */
  poke_at: z.exactOptional(z.number()),
  /** Its first call of this rate budget, booked for it: the instant, epoch ms. */
  booked: z.exactOptional(z.strictObject({ budget: text, at: z.number() })),
});

export type PokeWorkerEvent = z.infer<typeof pokeWorkerEvent>;
