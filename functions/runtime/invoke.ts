import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Invoker } from '../ports.ts';
import type { WorkerEvent } from '../shard-worker/events.ts';

/**
 * @param name name or ARN of the shard worker function
 * @returns its asynchronous invocation: resolves when Lambda has accepted it, rejects when it has not
 */
export function invokeShardWorker(name: string): Invoker<WorkerEvent> {
  const lambda = new LambdaClient({});
  return {
    async invoke(event) {
      const Payload = new TextEncoder().encode(JSON.stringify(event));
      await lambda.send(new InvokeCommand({ FunctionName: name, InvocationType: 'Event', Payload }));
    },
  };
}
