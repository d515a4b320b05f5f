import { type Cluster, clusterStatus } from './cluster.ts';
import { endedAt, type Step, stepState } from './step.ts';

/** Records of the stand-in in the shapes of EMR's answers. The JSON 1.1 protocol writes instants as epoch seconds. */
const seconds = (ms: number): number => ms / 1_000;

function timeline(step: Step, now: number): Readonly<Record<string, number>> {
  const startAt = step.addedAt + step.plan.pendingMs;
  const endAt = endedAt(step, now);
  const started = startAt <= (endAt ?? now);
  return {
    CreationDateTime: seconds(step.addedAt),
    ...(started && { StartDateTime: seconds(startAt) }),
    ...(endAt !== undefined && { EndDateTime: seconds(endAt) }),
  };
}

/** `Step` of DescribeStep and `StepSummary` of ListSteps. */
export function stepShape(step: Step, now: number): object {
  const { config, override, plan } = step;
  const state = stepState(step, now);
  const failure = override?.state === state ? override.failure : plan.failure;
  return {
    Id: step.id,
    Name: config.Name,
    Config: { Jar: config.HadoopJarStep.Jar, Properties: {}, Args: config.HadoopJarStep.Args },
    ActionOnFailure: config.ActionOnFailure,
    Status: {
      State: state,
      StateChangeReason: {},
      ...(state === 'FAILED' && failure !== undefined && { FailureDetails: failure }),
      Timeline: timeline(step, now),
    },
  };
}

/** `Cluster` of DescribeCluster. */
export function clusterShape(cluster: Cluster, now: number): object {
  const { State, StateChangeReason, endedAt: endAt } = clusterStatus(cluster, now);
  const readyAt = cluster.createdAt + cluster.startingMs;
  return {
    Id: cluster.id,
    Name: cluster.name,
    Status: {
      State,
      StateChangeReason,
      Timeline: {
        CreationDateTime: seconds(cluster.createdAt),
        ...(State !== 'STARTING' && { ReadyDateTime: seconds(readyAt) }),
        ...(endAt !== undefined && { EndDateTime: seconds(endAt) }),
      },
    },
    AutoTerminate: !cluster.keepAlive,
    ClusterArn: `arn:aws:elasticmapreduce:us-east-1:000000000000:cluster/${cluster.id}`,
  };
}
