import type { Invoker } from '../ports.ts';
import { once } from './once.ts';

/** One client for all functions, loaded by the first invocation: most workers make none. */
const lambda = once(async () => (await import('./lambda-client.ts')).openLambda());

/**
 * @param name name or ARN of a function of the service
 * @returns its asynchronous invocation: resolves when Lambda has accepted it, rejects when it has not
 */
export function invokeFunction<Event>(name: string): Invoker<Event> {
  return {
    async invoke(event) {
      const invoke = await lambda();
      await invoke(name, JSON.stringify(event));
    },
  };
}
