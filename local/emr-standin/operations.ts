import { type Cluster, type Clusters, clusterStatus, findStep, overrideStep, terminate } from './cluster.ts';
import { invalidRequest, malformed, unknownOperation } from './fault.ts';
import { INPUTS, type Input, read, type StepConfig } from './inputs.ts';
import { listSteps } from './list-steps.ts';
import { clusterShape, stepShape } from './shapes.ts';
import { isActive, planFromArgs, type StepPlan, stepState } from './step.ts';

const MAX_ACTIVE = 256;
const STARTING_MS = 1_000;
const FINISHED = 'A job flow that is shutting down, terminated, or finished may not be modified.';
const TOO_MANY =
  "Maximum number of active steps(State = 'Running', 'Pending' or 'Cancel_Pending') for cluster exceeded.";

/** Everything the stand-in knows, and what happens to a step that does not say it itself. */
export interface Account {
  readonly clusters: Clusters;
  readonly defaultPlan: StepPlan;
}

/**
 * Answers one call.
 * @param operation as in the header X-Amz-Target after the dot.
 * @param now epoch ms.
 * @returns the body of the answer.
 * @throws EmrFault with what EMR would answer.
 */
export function perform(account: Account, operation: string, body: unknown, now: number): object {
  const { clusters } = account;
  switch (operation) {
    case 'RunJobFlow':
      return runJobFlow(account, read(INPUTS.RunJobFlow, body), now);
    case 'AddJobFlowSteps': {
      const { JobFlowId, Steps } = read(INPUTS.AddJobFlowSteps, body);
      return { StepIds: addSteps(account, clusters.get(JobFlowId), Steps, now) };
    }
    case 'DescribeStep': {
      const { ClusterId, StepId } = read(INPUTS.DescribeStep, body);
      return { Step: stepShape(findStep(clusters.get(ClusterId), StepId), now) };
    }
    case 'ListSteps':
      return listSteps(clusters, read(INPUTS.ListSteps, body), now);
    case 'DescribeCluster':
      return { Cluster: clusterShape(clusters.get(read(INPUTS.DescribeCluster, body).ClusterId), now) };
    case 'CancelSteps':
      return cancelSteps(clusters, read(INPUTS.CancelSteps, body), now);
    case 'TerminateJobFlows':
      return terminateJobFlows(clusters, read(INPUTS.TerminateJobFlows, body), now);
    default:
      throw unknownOperation();
  }
}

function runJobFlow(account: Account, input: Input<'RunJobFlow'>, now: number): object {
  const { Name, Instances, Steps } = input;
  const plans = Steps.map((step) => planOf(step, account.defaultPlan));
  const cluster = account.clusters.create(Name, now, STARTING_MS, Instances.KeepJobFlowAliveWhenNoSteps);
  Steps.forEach((config, index) => add(account, cluster, config, plans[index], now));
  return { JobFlowId: cluster.id };
}

/** A bad one among them adds none. */
function addSteps(account: Account, cluster: Cluster, steps: readonly StepConfig[], now: number): string[] {
  if (clusterStatus(cluster, now).endedAt !== undefined) throw invalidRequest(FINISHED);
  const active = [...cluster.steps.values()].filter((step) => isActive(stepState(step, now))).length;
  if (active + steps.length > MAX_ACTIVE) throw invalidRequest(TOO_MANY);
  const plans = steps.map((step) => planOf(step, account.defaultPlan));
  return steps.map((config, index) => add(account, cluster, config, plans[index], now));
}

function add(account: Account, cluster: Cluster, config: StepConfig, plan: StepPlan | undefined, now: number): string {
  return account.clusters.addStep(cluster, { config, addedAt: now, plan: plan ?? account.defaultPlan }).id;
}

function planOf(step: StepConfig, defaults: StepPlan): StepPlan {
  try {
    return planFromArgs(step.HadoopJarStep.Args, defaults);
  } catch (error) {
    if (error instanceof RangeError) throw malformed(error.message);
    throw error;
  }
}

function cancelSteps(clusters: Clusters, input: Input<'CancelSteps'>, now: number): object {
  const cluster = clusters.get(input.ClusterId);
  for (const id of input.StepIds) findStep(cluster, id);
  const CancelStepsInfoList = input.StepIds.map((StepId) =>
    overrideStep(cluster, StepId, { at: now, state: 'CANCELLED' })
      ? { StepId, Status: 'SUBMITTED' }
      : { StepId, Status: 'FAILED', Reason: 'Step is already in a terminal state.' },
  );
  return { CancelStepsInfoList };
}

function terminateJobFlows(clusters: Clusters, input: Input<'TerminateJobFlows'>, now: number): object {
  const all = input.JobFlowIds.map((id) => clusters.get(id));
  for (const one of all) terminate(one, { at: now, state: 'TERMINATED', message: 'Terminated by user request' });
  return {};
}
