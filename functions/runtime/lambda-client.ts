import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

/** Has a function invoked asynchronously, with this payload. */
export type Invoke = (functionName: string, payload: string) => Promise<void>;

/** @returns Lambda. */
export function openLambda(): Invoke {
  const lambda = new LambdaClient({});
  return async (FunctionName, payload) => {
    const Payload = new TextEncoder().encode(payload);
    await lambda.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }));
  };
}
