/** The two state machines of a deployed service, by its stack's outputs. */
import { findRegion, NO_REGION, outputsOf, stackOf } from './connect.ts';
import { Failure } from './failures.ts';
import type { Io } from './io.ts';
import type { CommonOptions } from './options.ts';
import { endpointOf, stackOutputs } from './stack.ts';

/** Executions of one state machine. */
export interface Machine {
  /** @returns the names of those that run. */
  running(): Promise<ReadonlySet<string>>;
  /** Stops one; one that is over already is no error. */
  stop(name: string): Promise<void>;
}

export interface StateMachines {
  /** Waits of mode deferrable: the service's own. */
  readonly deferral: Machine;
  /** SubmitAndWait: begun by whoever calls it. */
  readonly callers: Machine;
}

/** Stopping is throttled (25 a second in most Regions). */
const ATTEMPTS = 12;

const CAUSE = 'the service is drained';

/** @throws Failure where the stack is not known, or is of a version that does not name its state machines. */
export async function findStateMachines(options: CommonOptions, io: Io): Promise<StateMachines> {
  const region = await findRegion(options, io);
  if (region === undefined) throw new Failure(NO_REGION);
  const stack = stackOf(options);
  const credentials = () => io.credentials(options.profile);
  const outputs = outputsOf(await stackOutputs(io, { stack, region, credentials }), stack, region);
  const { SFNClient } = await import('@aws-sdk/client-sfn');
  const { createExecutions } = await import('../functions/runtime/executions.ts');
  const endpoint = endpointOf(io.env, 'SFN');
  const client = new SFNClient({
    region,
    credentials,
    maxAttempts: ATTEMPTS,
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  const machine = (output: string): Machine => {
    const arn = outputs[output];
    if (arn === undefined) {
      throw new Failure(
        `The stack "${stack}" in ${region} has no output ${output}: it is of an older version. Deploy this one first.`,
      );
    }
    return createExecutions(arn, client, CAUSE);
  };
  return { deferral: machine('DeferralArn'), callers: machine('SubmitAndWaitArn') };
}
