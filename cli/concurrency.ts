/** Whether the account's concurrency has room for what the service may take of it. */
import { endpointOf } from './stack.ts';
import type { StackPlace } from './stack.ts';
import type { Io } from './io.ts';
import { count } from './words.ts';

/** Of the account and Region. */
export interface AccountConcurrency {
  readonly limit: number;
  /** What functions with a reservation leave to all others. */
  readonly unreserved: number;
}

/** @throws what Lambda throws */
export async function accountConcurrency(
  { env, signal }: Pick<Io, 'env' | 'signal'>,
  { region, credentials }: Omit<StackPlace, 'stack'>,
): Promise<AccountConcurrency> {
  const { GetAccountSettingsCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const endpoint = endpointOf(env, 'LAMBDA');
  const client = new LambdaClient({ region, credentials, ...(endpoint === undefined ? {} : { endpoint }) });
  try {
    const { AccountLimit = {} } = await client.send(new GetAccountSettingsCommand({}), { abortSignal: signal });
    const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: unreserved = limit } = AccountLimit;
    return { limit, unreserved };
  } finally {
    client.destroy();
  }
}

/** Lambda's concurrent executions among the Service Quotas. */
const QUOTA = 'L-B99A9384';

/**
 * @param cap the service's max_concurrency
 * @returns whether there is room for it, and in words what to do where there is none
 */
export function judgeConcurrency(
  cap: number,
  { limit, unreserved }: AccountConcurrency,
): { readonly fits: boolean; readonly detail: string } {
  const half = Math.max(2, Math.floor(unreserved / 2));
  const has = `the account has ${count(limit)} concurrent executions${unreserved < limit ? `, ${count(unreserved)} of them unreserved` : ''}`;
  const takes = `workers and runs take ${count(cap)} at most`;
  if (cap <= half) return { fits: true, detail: `${has}; ${takes}` };
  const lower = `deploy with -c 'settings={"max_concurrency":${half}}'`;
  if (cap < unreserved) {
    return {
      fits: true,
      detail: `${has}; ${takes}, more than half: whoever shares the account may want less (${lower})`,
    };
  }
  const isNew = limit <= 10 ? ' (a new account has 10)' : '';
  return {
    fits: false,
    detail: `${has}${isNew}; ${takes}, which leaves nothing for the ticks and other functions: ask for more (aws service-quotas request-service-quota-increase --service-code lambda --quota-code ${QUOTA} --desired-value 1000), or ${lower}.`,
  };
}
