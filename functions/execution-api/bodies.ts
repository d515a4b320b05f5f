/** Bodies of the execution API (DESIGN, section 7). */
import * as z from 'zod/mini';
import { instant, text } from '../api/schemas/fields.ts';

const pid = z.int().check(z.gte(0));
/** Which try is meant, where the path names the task; missing: the current one. */
const try_number = z.exactOptional(z.int().check(z.gte(1)));

export const runBody = z.strictObject({
  state: z.exactOptional(z.literal('running')),
  hostname: text(255),
  unixname: text(255),
  pid,
  try_number,
});

const reason = z.exactOptional(text(1000));

export const stateBody = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('success'), try_number }),
  z.strictObject({ state: z.literal('failed'), reason, try_number }),
  z.strictObject({ state: z.literal('fail_without_retry'), reason, try_number }),
  z.strictObject({ state: z.literal('skipped'), reason, try_number }),
  z.strictObject({ state: z.literal('up_for_retry'), reason, try_number }),
  z.strictObject({ state: z.literal('up_for_reschedule'), reschedule_date: instant, try_number }),
]);

/** What a worker says of its try. */
export type Asked = z.infer<typeof stateBody>;

export const heartbeatBody = z.strictObject({ hostname: text(255), pid, try_number });
