/** Finds the deployed service by its stack's outputs. */
import type { Credentials, Io } from './io.ts';

export interface StackPlace {
  readonly stack: string;
  readonly region: string;
  readonly credentials: () => Promise<Credentials>;
}

const API_URL = /^https:\/\/(\w+)\.execute-api\.[\w-]+\.amazonaws\.com(\/.*)?$/;

/** @returns where a service of AWS is (`CLOUDFORMATION`), if not where AWS has it. */
export function endpointOf(env: Io['env'], service: string): string | undefined {
  return env[`AWS_ENDPOINT_URL_${service}`] || env['AWS_ENDPOINT_URL'] || undefined;
}

/** @returns a URL of API Gateway as an emulator serves it; any other, or without an emulator, as it is. */
export function reachable(url: string, env: Io['env']): string {
  const endpoint = endpointOf(env, 'API_GATEWAY');
  const [, id, path] = API_URL.exec(url) ?? [];
  if (endpoint === undefined || id === undefined) return url;
  return `${endpoint.replace(/\/+$/, '')}/_aws/execute-api/${id}${path ?? ''}`;
}

/** @returns the stack's outputs by name; undefined if there is no such stack. @throws what CloudFormation throws. */
export async function stackOutputs(
  { env, signal }: Pick<Io, 'env' | 'signal'>,
  { stack, region, credentials }: StackPlace,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const endpoint = endpointOf(env, 'CLOUDFORMATION');
  const client = new CloudFormationClient({ region, credentials, ...(endpoint === undefined ? {} : { endpoint }) });
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }), { abortSignal: signal });
    const outputs = Stacks[0]?.Outputs ?? [];
    return Object.fromEntries(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    // CloudFormation's way of saying that there is none.
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist')) {
      return undefined;
    }
    throw error;
  } finally {
    client.destroy();
  }
}
