/** What a sensor says to an answer of AWS: the pages of sensors have it from the sensors themselves. */
import type { Observation } from '../../functions/core/observation.ts';
import type { SensorSpec } from '../../functions/core/task.ts';
import type { AwsCalls } from '../../functions/sensors/aws-calls.ts';
import type { AnyKind } from '../../functions/sensors/kind.ts';
import type { PokeIo } from '../../functions/sensors/sensor.ts';

/** Answers by the name of the call: a value, or an error that it rejects with. */
export type Script = Readonly<Record<string, unknown>>;

/** One thing that may happen in a poke. */
export interface Case {
  /** What happens, for people. */
  readonly when: string;
  /** Fields of the example that are otherwise. */
  readonly with?: Readonly<Record<string, unknown>>;
  /** The target's first poke. */
  readonly first?: boolean;
  readonly answers: Script;
  /** Epoch ms. */
  readonly now?: number;
}

/** @returns what the sensor observes in a case. */
export async function observationIn(kind: AnyKind, spec: SensorSpec, happens: Case): Promise<Observation> {
  const poke = kind.connect(callsOf(happens.answers));
  const [observation] = await poke([{ context: spec, first: happens.first === true }], ioAt(happens.now ?? 0));
  if (observation === undefined) throw new Error(`${kind.type}: no observation of "${happens.when}"`);
  return observation;
}

function callsOf(script: Script): AwsCalls {
  const answer = (name: string) => async (): Promise<unknown> => {
    if (!(name in script)) throw new TypeError(`nothing is said of ${name}`);
    const told = script[name];
    if (told instanceof Error) throw told;
    return told;
  };
  return {
    s3: { headObject: answer('headObject'), headBucket: answer('headBucket'), listObjects: answer('listObjects') },
    emr: {
      listSteps: answer('listSteps'),
      describeStep: answer('describeStep'),
      describeCluster: answer('describeCluster'),
      cancelSteps: answer('cancelSteps'),
      terminateJobFlows: answer('terminateJobFlows'),
    },
  };
}

function ioAt(now: number): PokeIo {
  return {
    now: () => now,
    call: (_operation, send) => send(),
    once: (_key, ask) => ask(),
  };
}

/** @returns an error as the SDK throws it: the code as its name, the status in its metadata. */
export function awsError(name: string, status: number, message: string): Error {
  const fault = status >= 500 ? 'server' : 'client';
  return Object.assign(new Error(message), { name, $fault: fault, $metadata: { httpStatusCode: status } });
}

/** @returns the error of a HEAD: no body, so no code. */
export function headError(status: number): Error {
  return awsError(status === 404 ? 'NotFound' : 'Unknown', status, 'UnknownError');
}

/** A connection that broke. */
export const RESET: Error = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
