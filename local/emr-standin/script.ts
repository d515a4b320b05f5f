import * as z from 'zod';
import { overrideStep, terminate } from './cluster.ts';
import type { Account } from './operations.ts';
import type { Limit } from './token-bucket.ts';

const Failure = z.object({
  Reason: z.string().optional(),
  Message: z.string().optional(),
  LogFile: z.string().optional(),
});

/** Body of `POST /_standin/script`: what shall happen now. All parts are optional. */
export const Script = z.strictObject({
  /** Steps that end at once. */
  steps: z
    .array(
      z.strictObject({
        cluster_id: z.string(),
        step_id: z.string(),
        state: z.enum(['COMPLETED', 'CANCELLED', 'FAILED', 'INTERRUPTED']),
        failure: Failure.optional(),
      }),
    )
    .default([]),
  /** Clusters that end at once, and their active steps with them. */
  clusters: z
    .array(
      z.strictObject({
        cluster_id: z.string(),
        state: z.enum(['TERMINATED', 'TERMINATED_WITH_ERRORS']),
        message: z.string().default('Ended by a script'),
      }),
    )
    .default([]),
  /** Rate limits by operation, in place of the ones before; null lifts one. */
  limits: z
    .record(z.string(), z.strictObject({ per_second: z.number().min(0), burst: z.number().min(0) }).nullable())
    .default({}),
  /** The next `times` calls of an operation are answered with this error. */
  faults: z
    .array(
      z.strictObject({
        operation: z.string(),
        times: z.int().min(1).default(1),
        type: z.string().default('InternalServerException'),
        message: z.string().default('Injected by a script'),
        status: z.int().min(400).max(599).default(500),
      }),
    )
    .default([]),
});

export type Script = z.output<typeof Script>;
export type Fault = Script['faults'][number];

/** Applies what a script says about steps and clusters. @throws EmrFault for ids that do not exist. */
export function applyToAccount(script: Script, account: Account, now: number): void {
  for (const { cluster_id, step_id, state, failure } of script.steps) {
    overrideStep(account.clusters.get(cluster_id), step_id, { at: now, state, failure });
  }
  for (const { cluster_id, state, message } of script.clusters) {
    terminate(account.clusters.get(cluster_id), { at: now, state, message });
  }
}

export function limitOf(entry: NonNullable<Script['limits'][string]>): Limit {
  return { perSecond: entry.per_second, burst: entry.burst };
}
