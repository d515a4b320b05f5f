import type { Observation } from '../../functions/core/observation.ts';
import type { SensorSpec } from '../../functions/core/task.ts';
import { awsCalls } from '../../functions/sensors/aws-calls.ts';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import { createSensors, parseSensor, type Sensors } from '../../functions/sensors/registry.ts';
import type { PokeIo, Sender } from '../../functions/sensors/sensor.ts';

/** What a scripted command answers: a value, an error to reject with, or a function of its input that gives one. */
type Reply = object | ((input: never) => unknown) | undefined;

interface Sent {
  readonly command: string;
  readonly input: Record<string, unknown>;
}

/** A client that answers by the command's name (`HeadObject`), and writes down what it was sent. */
export function fakeSender(script: Readonly<Record<string, Reply>>): Sender & { readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const send = async (command: { readonly input: Record<string, unknown> }): Promise<unknown> => {
    const name = command.constructor.name.replace(/Command$/, '');
    sent.push({ command: name, input: command.input });
    if (!(name in script)) throw new TypeError(`nothing is scripted for ${name}`);
    const reply = script[name];
    const answer = typeof reply === 'function' ? (reply as (input: unknown) => unknown)(command.input) : reply;
    if (answer instanceof Error) throw name.startsWith('Head') ? withoutBody(answer) : answer;
    return answer;
  };
  return { send, sent };
}

/** An error as the SDK throws it: the code as its name, the HTTP status in its metadata. */
export function awsError(name: string, httpStatusCode: number, more: Readonly<Record<string, unknown>> = {}): Error {
  const message = typeof more['message'] === 'string' ? more['message'] : `${name} it is`;
  const fault = httpStatusCode >= 500 ? 'server' : 'client';
  return Object.assign(new Error(message), { $fault: fault, $metadata: { httpStatusCode }, ...more, name });
}

type Headers = Readonly<Record<string, string>>;

/** The error of a HEAD: no body, so no code. */
export function headError(httpStatusCode: number, headers: Headers = {}): Error {
  const name = httpStatusCode === 404 ? 'NotFound' : 'Unknown';
  return awsError(name, httpStatusCode, { message: 'UnknownError', $response: { headers } });
}

/** What is left of an answer's error where the answer has no body: the status and the headers. All else stays as it is. */
function withoutBody(
  error: Error & { readonly $metadata?: unknown; readonly $response?: { headers?: Headers } },
): Error {
  const { httpStatusCode: status } = (error.$metadata ?? {}) as { httpStatusCode?: number };
  return status === undefined ? error : headError(status, error.$response?.headers);
}

export const THROTTLED = awsError('ThrottlingException', 400, { message: 'Rate exceeded' });

/** A run: makes every call, remembers what was asked once, and writes the operations down. */
export function fakeIo(now = 0): PokeIo & { readonly operations: string[]; now: () => number } {
  const operations: string[] = [];
  const known = new Map<string, Promise<unknown>>();
  return {
    operations,
    now: () => now,
    call(operation, send) {
      operations.push(operation);
      return send();
    },
    once: <Answer>(key: string, ask: () => Promise<Answer>) => {
      const answer = known.get(key) ?? ask();
      known.set(key, answer);
      return answer as Promise<Answer>;
    },
  };
}

interface World {
  readonly s3?: Sender;
  readonly emr?: Sender;
}

export function sensorsOver({ s3 = fakeSender({}), emr = fakeSender({}) }: World = {}): Sensors {
  return createSensors(awsCalls({ s3, emr }), ALL_OPEN);
}

/** @returns the normalised spec of an input. @throws if it is refused. */
export function specOf(input: unknown): SensorSpec {
  const parsed = parseSensor(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.spec;
}

/** @returns what is wrong with an input, as `field: message`; nothing where it is taken. */
export function faultsOf(input: unknown): string[] {
  const parsed = parseSensor(input);
  return parsed.ok ? [] : parsed.issues.map(({ field, message }) => `${field}: ${message}`);
}

/** One poke of each of the inputs, in one batch. */
export function pokeAll(
  world: World,
  inputs: readonly unknown[],
  { first = false, io = fakeIo() }: { readonly first?: boolean; readonly io?: PokeIo } = {},
): Promise<readonly Observation[]> {
  return sensorsOver(world).poke(
    inputs.map((input) => ({ queue: 'q', spec: specOf(input), first })),
    io,
  );
}

/** One poke of one input. */
export async function poke(
  world: World,
  input: unknown,
  options: { readonly first?: boolean; readonly io?: PokeIo } = {},
): Promise<Observation> {
  const [observation] = await pokeAll(world, [input], options);
  if (observation === undefined) throw new Error('no observation');
  return observation;
}
