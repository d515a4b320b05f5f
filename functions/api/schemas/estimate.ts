import * as z from 'zod/mini';
import { duration, YEAR } from './fields.ts';
import { submittedTask } from './task.ts';

/** The body of `POST /v1/estimate`: a task as it would be submitted, and what is not said in it. */
export const estimateBody = z.strictObject({
  task: submittedTask,
  /** How many equal tasks wait for the condition. */
  duplicates: z._default(z.int().check(z.gte(1), z.lte(10_000_000)), 1),
  /** How long it is expected to wait; an hour, or the timeout if that is shorter. */
  wait: z.exactOptional(duration(1, YEAR)),
});
