/**
 * Ending what a user's removed task watched, where it was submitted with cancel_on_kill (DESIGN, section 4). Nothing else
 * of the service ends anything outside.
 */
import * as z from 'zod/mini';
import { ask } from './aws-answer.ts';
import type { EmrCalls } from './emr-calls.ts';
import { observe } from './aws-errors.ts';
import type { Cancellation, PokeIo } from './sensor.ts';

const status = z.object({ Status: z.object({ State: z.string() }) });
const stepAnswer = z.object({ Step: status });
const clusterAnswer = z.object({ Cluster: status });
const cancelAnswer = z.object({
  CancelStepsInfoList: z.nullish(z.array(z.object({ Status: z.nullish(z.string()), Reason: z.nullish(z.string()) }))),
});

/**
 * Cancels a step.
 * @param again an earlier call may have been made: its state is asked for first, and what is under way is left alone
 */
export async function cancelStep(
  emr: EmrCalls,
  { job_flow_id, step_id }: { readonly job_flow_id: string; readonly step_id: string },
  again: boolean,
  io: PokeIo,
): Promise<Cancellation> {
  return judged('CancelSteps', job_flow_id, async () => {
    const step = { ClusterId: job_flow_id, StepId: step_id };
    if (again) {
      const described = await ask(io, 'emr:DescribeStep', () => emr.describeStep(step), stepAnswer);
      const state = described.Step.Status.State;
      if (state !== 'PENDING' && state !== 'RUNNING') return { kind: 'cancelled', detail: `the step is ${state}` };
    }
    const steps = { ClusterId: job_flow_id, StepIds: [step_id] };
    const answer = await ask(io, 'emr:CancelSteps', () => emr.cancelSteps(steps), cancelAnswer);
    const [info] = answer.CancelStepsInfoList ?? [];
    if (info?.Status !== 'FAILED') return { kind: 'cancelled' };
    return { kind: 'refused', reason: info.Reason ?? 'EMR gives no reason' };
  });
}

/** Terminates a cluster; see cancelStep. */
export async function terminateCluster(
  emr: EmrCalls,
  { job_flow_id }: { readonly job_flow_id: string },
  again: boolean,
  io: PokeIo,
): Promise<Cancellation> {
  return judged('TerminateJobFlows', job_flow_id, async () => {
    if (again) {
      const cluster = { ClusterId: job_flow_id };
      const send = () => emr.describeCluster(cluster);
      const { State: state } = (await ask(io, 'emr:DescribeCluster', send, clusterAnswer)).Cluster.Status;
      if (state.startsWith('TERMINAT')) return { kind: 'cancelled', detail: `the cluster is ${state}` };
    }
    const clusters = { JobFlowIds: [job_flow_id] };
    await io.call('emr:TerminateJobFlows', () => emr.terminateJobFlows(clusters));
    return { kind: 'cancelled' };
  });
}

async function judged(operation: string, cluster: string, cancel: () => Promise<Cancellation>): Promise<Cancellation> {
  try {
    return await cancel();
  } catch (error) {
    const permission = `elasticmapreduce:${operation} on the cluster ${cluster}`;
    const observation = observe(error, { operation: `emr:${operation}`, permission });
    const reason = 'reason' in observation ? observation.reason : observation.kind;
    return observation.kind === 'unknown' ? { kind: 'unknown', reason } : { kind: 'refused', reason };
  }
}
