import {
  type CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';

const DELETE_SECONDS = 120;

export async function stackExists(client: CloudFormationClient, stack: string): Promise<boolean> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    return Stacks.some(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE');
  } catch (error) {
    // CloudFormation's way of saying that there is none.
    if (error instanceof Error && error.name === 'ValidationError') return false;
    throw error;
  }
}

/** Deletes a stack and waits for its end. @throws Error when it is not gone after two minutes. */
export async function deleteStack(client: CloudFormationClient, stack: string): Promise<void> {
  await client.send(new DeleteStackCommand({ StackName: stack }));
  await waitUntilStackDeleteComplete({ client, maxWaitTime: DELETE_SECONDS }, { StackName: stack });
}
