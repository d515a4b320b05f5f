import type * as z from 'zod/mini';
import type { PokeIo } from './sensor.ts';

/** An answer that lacks what was asked for: nothing is known, and nothing is proven. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

/**
 * Reads a part of an answer.
 * @throws UnreadableAnswer that names what the schema misses (`answer misses Step.Status.State`).
 */
export function read<Answer>(schema: z.ZodMiniType<Answer>, answer: unknown): Answer {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
  throw new UnreadableAnswer(path === '' ? 'answer is not an object' : `answer misses ${path}`);
}

/**
 * Makes one call within the budget of its operation and reads its answer.
 * @throws what the call rejected with, PokeTimeout, BudgetSpent or UnreadableAnswer: all of them are for `observe`.
 */
export async function ask<Answer>(
  io: PokeIo,
  operation: string,
  send: () => Promise<unknown>,
  schema: z.ZodMiniType<Answer>,
): Promise<Answer> {
  return read(schema, await io.call(operation, send));
}
