import {
  CancelStepsCommand,
  DescribeClusterCommand,
  DescribeStepCommand,
  ListStepsCommand,
  TerminateJobFlowsCommand,
  type CancelStepsCommandInput,
  type DescribeClusterCommandInput,
  type DescribeStepCommandInput,
  type ListStepsCommandInput,
  type TerminateJobFlowsCommandInput,
} from '@aws-sdk/client-emr';
import type { Call, Sender, SenderOf } from './sensor.ts';

export interface EmrCalls {
  readonly listSteps: Call<ListStepsCommandInput>;
  readonly describeStep: Call<DescribeStepCommandInput>;
  readonly describeCluster: Call<DescribeClusterCommandInput>;
  readonly cancelSteps: Call<CancelStepsCommandInput>;
  readonly terminateJobFlows: Call<TerminateJobFlowsCommandInput>;
}

/** @returns the calls that sensors make, over a client that makes one attempt a call (`maxAttempts: 1`). */
export function emrCalls(client: Sender): EmrCalls {
  const emr: SenderOf<
    ListStepsCommand | DescribeStepCommand | DescribeClusterCommand | CancelStepsCommand | TerminateJobFlowsCommand
  > = client;
  return {
    listSteps: (input) => emr.send(new ListStepsCommand(input)),
    describeStep: (input) => emr.send(new DescribeStepCommand(input)),
    describeCluster: (input) => emr.send(new DescribeClusterCommand(input)),
    cancelSteps: (input) => emr.send(new CancelStepsCommand(input)),
    terminateJobFlows: (input) => emr.send(new TerminateJobFlowsCommand(input)),
  };
}
