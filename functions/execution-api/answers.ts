/** What the execution API answers, as schemas: for the OpenAPI document, and for the tests that hold the answers against them. */
import * as z from 'zod/mini';
import { STATES } from '../core/task.ts';

const tryNumber = z.int().check(z.gte(1));

export const runAnswer = z.strictObject({
  id: z.string(),
  try_id: z.string(),
  try_number: tryNumber,
  max_tries: z.int(),
  should_retry: z.boolean(),
  deadline: z.iso.datetime({ offset: true }),
  sensor: z.looseObject({ type: z.string() }),
});

export const stateAnswer = z.strictObject({
  id: z.string(),
  try_id: z.string(),
  try_number: tryNumber,
  state: z.enum(STATES),
});
