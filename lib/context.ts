import { RemovalPolicy } from 'aws-cdk-lib';
import * as z from 'zod/mini';
import type { SettingsOverrides } from '../functions/settings.ts';
import { parseSettings } from '../functions/settings.ts';
import type { SensoriumProps } from './sensorium.ts';

/** Reads one context value of the app. */
export type Lookup = (key: string) => unknown;

const REMOVAL: Readonly<Record<string, RemovalPolicy>> = {
  retain: RemovalPolicy.RETAIN,
  destroy: RemovalPolicy.DESTROY,
};

/**
 * What `cdk deploy -c key=value` (or the context of cdk.json) says:
 * - `allow`: ARN patterns that sensors may read, between commas or as a list; none by default
 * - `queues`: what the tasks of single queues may read, as a JSON object (`{"team-a":{"allow":["arn:..."]}}`)
 * - `closed`: `true` opens nothing to a queue that is not in it; `false` by default
 * - `allowCancel`: `true` lets removing a task with cancel_on_kill end what it watches; `false` by default
 * - `dashboard`: `false` makes none; `true` by default
 * - `removal`: `retain` (default) or `destroy` the table, the queues and the logs with the stack
 * - `table`: the ARN of the stream of a table that is taken over; a new table by default
 * - `settings`: overrides of the service's settings, as a JSON object
 * - `events`: `false` has no event of S3 or EMR end a wait before its next poke; `true` by default
 * - `emrEndpoint`: another endpoint for EMR, for emulators
 * @throws Error naming the key, what it is and what it should be.
 */
export function readContext(lookup: Lookup): SensoriumProps {
  const settings = readSettings(lookup('settings'));
  const allowCancel = readFlag('allowCancel', lookup('allowCancel'));
  const events = readFlag('events', lookup('events'));
  const emrEndpoint = readEndpoint(lookup('emrEndpoint'));
  const dashboard = readFlag('dashboard', lookup('dashboard'));
  const queues = readQueues(lookup('queues'));
  const closed = readFlag('closed', lookup('closed'));
  const table = readText('table', lookup('table'));
  return {
    allow: readList(lookup('allow')),
    removalPolicy: readRemoval(lookup('removal')),
    ...(queues && { queues }),
    ...(closed !== undefined && { closed }),
    ...(allowCancel !== undefined && { allowCancel }),
    ...(dashboard !== undefined && { dashboard }),
    ...(settings && { settings }),
    ...(table !== undefined && { table }),
    ...(events !== undefined && { events }),
    ...(emrEndpoint !== undefined && { emrEndpoint }),
  };
}

function readList(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const list: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value];
  return list.map((one) => {
    if (typeof one !== 'string' || one.trim() === '') throw wrong('allow', value, 'ARN patterns between commas');
    return one.trim();
  });
}

const queueLists = z.record(z.string(), z.strictObject({ allow: z.array(z.string()) }));

function readQueues(value: unknown): SensoriumProps['queues'] {
  if (value === undefined) return undefined;
  const wanted = 'a JSON object such as {"team-a":{"allow":["arn:aws:s3:::landing/a/*"]}}';
  let json: unknown = value;
  try {
    if (typeof value === 'string') json = JSON.parse(value) as unknown;
  } catch {
    throw wrong('queues', value, wanted);
  }
  const lists = queueLists.safeParse(json);
  if (!lists.success) throw wrong('queues', value, wanted);
  return lists.data;
}

function readFlag(key: string, value: unknown): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw wrong(key, value, 'true or false');
}

function readText(key: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value || undefined;
  throw wrong(key, value, 'a text');
}

function readRemoval(value: unknown): RemovalPolicy {
  if (value === undefined) return RemovalPolicy.RETAIN;
  const policy = typeof value === 'string' ? REMOVAL[value] : undefined;
  if (policy === undefined) throw wrong('removal', value, Object.keys(REMOVAL).join(' or '));
  return policy;
}

function readSettings(value: unknown): SettingsOverrides | undefined {
  if (value === undefined) return undefined;
  return parseSettings(typeof value === 'string' ? value : JSON.stringify(value));
}

function readEndpoint(value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)) return value;
  throw wrong('emrEndpoint', value, 'an http or https URL');
}

function wrong(key: string, value: unknown, wanted: string): Error {
  return new Error(`Context "${key}" is ${JSON.stringify(value)}; it should be ${wanted}.`);
}
