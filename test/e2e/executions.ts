import { DescribeExecutionCommand, ListExecutionsCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { DescribeExecutionOutput } from '@aws-sdk/client-sfn';
import { IDENTITY } from '../../local/identity.ts';
import { until } from './until.ts';

/** How an execution ended. */
export type Ended = Pick<DescribeExecutionOutput, 'status' | 'error' | 'cause'> & {
  /** The output as JSON; undefined if there is none. */
  readonly output: unknown;
};

/** Executions of one state machine. */
export interface Executions {
  /** @returns the ARN of the execution. */
  start(name: string, input: object): Promise<string>;
  /** @returns how it ended. @throws Error when it has not after so many ms. */
  end(arn: string, limitMs?: number): Promise<Ended>;
  /** @returns the names of those that run. */
  running(): Promise<readonly string[]>;
  close(): void;
}

export function openExecutions(endpoint: string, stateMachineArn: string): Executions {
  const client = new SFNClient({ ...IDENTITY, endpoint });
  return {
    async start(name, input) {
      const command = new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) });
      const { executionArn = '' } = await client.send(command);
      return executionArn;
    },
    async end(executionArn, limitMs = 20_000) {
      const look = () => client.send(new DescribeExecutionCommand({ executionArn }));
      const { status, error, cause, output } = await until(look, (seen) => seen.status !== 'RUNNING', { limitMs });
      return { status, error, cause, output: output === undefined ? undefined : JSON.parse(output) };
    },
    async running() {
      const command = new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING' });
      const { executions = [] } = await client.send(command);
      return executions.map(({ name = '' }) => name);
    },
    close: () => client.destroy(),
  };
}
