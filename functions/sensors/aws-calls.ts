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
import {
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type HeadBucketCommandInput,
  type HeadObjectCommandInput,
  type ListObjectsV2CommandInput,
} from '@aws-sdk/client-s3';
import type { Sender } from './sensor.ts';

/**
 * The one place of the sensors that knows the SDK's commands. Sensors see functions, so that their schemas and
 * permissions can be read without loading the SDK: by the API, whose bundle drops it, and by the CDK app.
 */
type Call<Input> = (input: Input) => Promise<unknown>;

export interface S3Calls {
  readonly headObject: Call<HeadObjectCommandInput>;
  readonly headBucket: Call<HeadBucketCommandInput>;
  readonly listObjects: Call<ListObjectsV2CommandInput>;
}

export interface EmrCalls {
  readonly listSteps: Call<ListStepsCommandInput>;
  readonly describeStep: Call<DescribeStepCommandInput>;
  readonly describeCluster: Call<DescribeClusterCommandInput>;
  readonly cancelSteps: Call<CancelStepsCommandInput>;
  readonly terminateJobFlows: Call<TerminateJobFlowsCommandInput>;
}

export interface AwsCalls {
  readonly s3: S3Calls;
  readonly emr: EmrCalls;
}

/** A sender that takes these commands; what it answers is parsed by whoever asked. */
interface SenderOf<Command> {
  send(command: Command): Promise<unknown>;
}

/** @returns the calls that the sensors make, over clients that make one attempt a call (`maxAttempts: 1`). */
export function awsCalls(clients: { readonly s3: Sender; readonly emr: Sender }): AwsCalls {
  const s3: SenderOf<HeadObjectCommand | HeadBucketCommand | ListObjectsV2Command> = clients.s3;
  const emr: SenderOf<
    ListStepsCommand | DescribeStepCommand | DescribeClusterCommand | CancelStepsCommand | TerminateJobFlowsCommand
  > = clients.emr;
  return {
    s3: {
      headObject: (input) => s3.send(new HeadObjectCommand(input)),
      headBucket: (input) => s3.send(new HeadBucketCommand(input)),
      listObjects: (input) => s3.send(new ListObjectsV2Command(input)),
    },
    emr: {
      listSteps: (input) => emr.send(new ListStepsCommand(input)),
      describeStep: (input) => emr.send(new DescribeStepCommand(input)),
      describeCluster: (input) => emr.send(new DescribeClusterCommand(input)),
      cancelSteps: (input) => emr.send(new CancelStepsCommand(input)),
      terminateJobFlows: (input) => emr.send(new TerminateJobFlowsCommand(input)),
    },
  };
}
