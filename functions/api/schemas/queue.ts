import * as z from 'zod/mini';
import { DEFAULT_QUEUE } from '../../core/queue.ts';
import { atMost, DAY, duration, queueName, text } from './fields.ts';

/** The query of a listing of queues. */
export const queuesQuery = z.strictObject({
  /** The `next` that the page before gave. */
  next: z.exactOptional(queueName),
});

const count = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));

/** One call in eleven days: what calls less often is as good as 0, and the table holds no number that is too small. */
const LEAST_BUDGET = 0.000001;

const budget = z.number().check(
  z.gte(0),
  z.lte(100_000),
  z.refine((rate) => rate <= 0 || rate >= LEAST_BUDGET, { error: `must be 0, or at least ${LEAST_BUDGET}` }),
);

/** The body of `PUT /v1/queues/{name}`: the whole of what an operator sets; what is left out has its default. */
export const queueBody = z
  .strictObject({
    worker_concurrency: z._default(count(1, 100_000), DEFAULT_QUEUE.worker_concurrency),
    min_workers: z._default(count(0, 1000), DEFAULT_QUEUE.min_workers),
    max_workers: z._default(count(1, 1000), DEFAULT_QUEUE.max_workers),
    cooldown_seconds: z.prefault(duration(0, DAY), DEFAULT_QUEUE.cooldown_seconds),
    /** Calls per second by API (`s3`) or operation (`emr:ListSteps`). */
    budgets: z._default(z.record(text(100), budget).check(atMost(50)), {}),
    paused: z._default(z.boolean(), false),
    max_active_tasks: z.exactOptional(count(1, 100_000_000)),
  })
  .check(
    z.refine(({ min_workers, max_workers }) => min_workers <= max_workers, {
      path: ['min_workers'],
      error: 'must be at most max_workers',
    }),
  );
