/** From flags and environment to a client: who asks, where, and under which address the service is. */
import type { CommonOptions } from './options.ts';
import { Failure } from './failures.ts';
import type { Credentials, Io } from './io.ts';
import { reachable, stackOutputs } from './stack.ts';

/** @returns the name of the stack whose outputs say where the service is. */
export function stackOf({ stack }: CommonOptions): string {
  return stack ?? 'Sensorium';
}

/** A region in the address of an API: `https://id.execute-api.eu-west-1.amazonaws.com/v1/`. */
const REGION_OF_URL = /^https:\/\/\w+\.execute-api\.([\w-]+)\.amazonaws\.com(?:\.cn)?(?:\/|$)/;

/** @returns the address that was given, checked; undefined where the stack has to say it. */
export function givenUrl({ url }: CommonOptions, env: Io['env']): string | undefined {
  const text = url ?? (env['SENSORIUM_URL'] || undefined);
  if (text === undefined) return undefined;
  const source = url === undefined ? 'SENSORIUM_URL' : '--url';
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new Failure(`${source} must be the address of the API (https://...), not "${text}".`, 2);
  }
  return reachable(text, env);
}

/** @returns the region of the flags, the address, the environment or the profile. */
export async function findRegion(options: CommonOptions, io: Io): Promise<string | undefined> {
  const { env } = io;
  const given = options.url ?? env['SENSORIUM_URL'] ?? '';
  const named = options.region ?? REGION_OF_URL.exec(given)?.[1];
  const known = named ?? (env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || undefined);
  return known ?? io.configuredRegion(options.profile ?? env['AWS_PROFILE']);
}

export const NO_REGION = 'No AWS Region is known: give --region, or set AWS_REGION, or a region in the AWS profile.';

export interface Place {
  readonly url: string;
  readonly region: string;
  readonly credentials: () => Promise<Credentials>;
}

/** @returns where the service is and as whom to ask. @throws Failure, or what CloudFormation or the credentials threw. */
export async function findPlace(options: CommonOptions, io: Io): Promise<Place> {
  const url = givenUrl(options, io.env);
  const region = await findRegion(options, io);
  if (region === undefined) throw new Failure(NO_REGION);
  const credentials = () => io.credentials(options.profile);
  if (url !== undefined) return { url, region, credentials };
  const stack = stackOf(options);
  const outputs = await stackOutputs(io, { stack, region, credentials });
  return { url: reachable(urlOf(outputs, stack, region), io.env), region, credentials };
}

type Outputs = Readonly<Record<string, string>>;

/** @returns the stack's outputs. @throws Failure where there is no stack. */
export function outputsOf(found: Outputs | undefined, stack: string, region: string): Outputs {
  if (found !== undefined) return found;
  throw new Failure(
    `There is no stack "${stack}" in ${region}: deploy it (npx cdk deploy), or name another with --stack or --region, or the API itself with --url.`,
  );
}

/** @throws Failure where there is no stack, or it is no Sensorium. */
export function urlOf(outputs: Outputs | undefined, stack: string, region: string): string {
  const url = outputsOf(outputs, stack, region)['ApiUrl'];
  if (url === undefined) {
    throw new Failure(
      `The stack "${stack}" in ${region} has no output ApiUrl: it is not deployed to its end, or not a Sensorium. Look at it in CloudFormation, or name another with --stack.`,
    );
  }
  return url;
}
