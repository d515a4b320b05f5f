/** The query of a listing. */
import * as z from 'zod/mini';
import { STATES } from '../../core/task.ts';
import { queueName, text } from './fields.ts';

/** A number of tasks a page, as text. */
const limit = z.pipe(
  z.string().check(z.regex(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100')),
  z.transform(Number),
);

export const listQuery = z.strictObject({
  queue: z._default(queueName, 'default'),
  /** Missing: all states, one after the other. */
  state: z.exactOptional(z.array(z.enum(STATES)).check(z.minLength(1))),
  /** Only tasks of this DAG, of this run. The pages may be shorter then, or empty, though more follow. */
  dag_id: z.exactOptional(text(250)),
  run_id: z.exactOptional(text(250)),
  limit: z.prefault(limit, '50'),
  /** The token that the page before gave. */
  next: z.exactOptional(z.string().check(z.maxLength(8000))),
});
