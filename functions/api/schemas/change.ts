/** Bodies of what users do to a task. */
import * as z from 'zod/mini';

/** A clear says nothing more. */
export const emptyBody = z.strictObject({});

export const markBody = z.strictObject({ state: z.enum(['success', 'failed', 'skipped']) });
