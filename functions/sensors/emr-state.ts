import * as z from 'zod/mini';
import type { Observation } from '../core/observation.ts';
import { clip } from './aws-errors.ts';

/** What steps and clusters have in common: states to wait for, states that are failures, and reasons. */

export interface Wanted {
  readonly target_states: readonly string[];
  readonly failed_states: readonly string[];
}

/** An id as EMR gives them (`j-2AXXXXXXGAPLF`, `s-1XXXXXXXXXXA`), not its exact form: stand-ins have shorter ones. */
export const emrId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9-]{1,256}$/u, 'must be 1 to 256 letters, digits and hyphens'));

/**
 * Sorted, each once, and a state in both sets is a target: a target that is reached is never a failure. So the failures
 * of a context are told alike whether its defaults were given or not.
 */
export function normaliseStates(given: Wanted): Wanted {
  const targets = new Set(given.target_states);
  const failures = new Set(given.failed_states.filter((state) => !targets.has(state)));
  return { target_states: [...targets].toSorted(), failed_states: [...failures].toSorted() };
}

/** A part that only explains a state never hides it: one that cannot be read is left out. */
function explained<Part>(schema: z.ZodMiniType<Part>) {
  const lenient = z.transform((part: unknown) => schema.safeParse(part).data);
  return z.optional(z.pipe(z.unknown(), lenient));
}

const text = explained(z.string());

/** `Status` of a step (ListSteps, DescribeStep) or of a cluster (DescribeCluster), as far as it is used. */
const statusOf = z.object({
  State: z.string(),
  StateChangeReason: explained(z.object({ Code: text, Message: text })),
  /** A step's. */
  FailureDetails: explained(z.object({ Reason: text, Message: text, LogFile: text })),
  /** A cluster's. */
  ErrorDetails: explained(z.array(z.object({ ErrorCode: text, ErrorMessage: text }))),
});

/**
 * Judges what EMR says of a step or cluster.
 * @param what names it in the texts (`step s-1`)
 * @param terminal the states that nothing leads out of: one that is not waited for would be waited on for ever
 */
export function judge(what: string, wanted: Wanted, terminal: readonly string[], status: unknown): Observation {
  const parsed = statusOf.safeParse(status ?? {});
  if (!parsed.success) {
    const path = ['Status', ...(parsed.error.issues[0]?.path ?? [])].map(String).join('.');
    return { kind: 'unknown', reason: `${what}: answer misses ${path}` };
  }
  const { State: state, StateChangeReason: change, FailureDetails: failure, ErrorDetails: errors } = parsed.data;
  if (wanted.target_states.includes(state)) return { kind: 'met' };
  if (!wanted.failed_states.includes(state) && !terminal.includes(state)) return { kind: 'not_met', state };
  const log = failure?.LogFile ? `log file ${failure.LogFile}` : undefined;
  const details = (errors ?? []).flatMap(({ ErrorCode: code, ErrorMessage: message }) => [code, message]);
  const all = [failure?.Reason, failure?.Message, log, change?.Code, change?.Message, ...details];
  // EMR says some of it more than once.
  const reasons = new Set(all.filter((part) => Boolean(part)));
  return { kind: 'failed', reason: clip([`${what} ended in ${state}`, ...reasons].join(': '), 2000) };
}
