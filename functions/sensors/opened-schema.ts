/** A file apart: what the package declares of the construct has no part of zod. */
import * as z from 'zod/mini';
import type { Opened } from './opened.ts';

const patterns = z.array(z.string().check(z.minLength(1)));

export const openedSchema: z.ZodMiniType<Opened> = z.strictObject({
  allow: patterns,
  queues: z.record(z.string(), z.strictObject({ allow: patterns })),
  closed: z.boolean(),
});
