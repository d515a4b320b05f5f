import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Invoker } from '../ports.ts';

/**
 * @param name name or ARN of a function of the service
 * @returns its asynchronous invocation: resolves when Lambda has accepted it, rejects when it has not
 */
export function invokeFunction<Event>(name: string): Invoker<Event> {
  const lambda = new LambdaClient({});
  return {
    async invoke(event) {
      const Payload = new TextEncoder().encode(JSON.stringify(event));
      await lambda.send(new InvokeCommand({ FunctionName: name, InvocationType: 'Event', Payload }));
    },
  };
}
