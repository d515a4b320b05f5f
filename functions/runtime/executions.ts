import { paginateListExecutions, SFNClient, StartExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import type { Executions } from '../deferral/deps.ts';

/** The most that Step Functions gives a page. */
const PAGE = 1000;

/** Starting is throttled (300 a second); a burst of first waits queues here. */
const ATTEMPTS = 8;

/**
 * @param stateMachineArn of the state machine that waits
 * @param cause what a stopped execution says of itself
 * @returns its executions
 */
export function createExecutions(
  stateMachineArn: string,
  client = new SFNClient({ maxAttempts: ATTEMPTS }),
  cause = 'nobody waits any more',
): Executions {
  const arnOf = (name: string): string => `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  return {
    async start(name, input) {
      const start = new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) });
      // AWS answers with a running execution of the same input as with a new one; otherwise a name is taken for 90 days.
      await unless('ExecutionAlreadyExists', () => client.send(start));
    },

    async stop(name) {
      const stop = new StopExecutionCommand({ executionArn: arnOf(name), cause });
      await unless('ExecutionDoesNotExist', () => client.send(stop));
    },

    async running() {
      const names = new Set<string>();
      const pages = paginateListExecutions({ client, pageSize: PAGE }, { stateMachineArn, statusFilter: 'RUNNING' });
      for await (const { executions = [] } of pages) for (const { name } of executions) if (name) names.add(name);
      return names;
    },
  };
}

async function unless(expected: string, send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== expected) throw error;
  }
}
