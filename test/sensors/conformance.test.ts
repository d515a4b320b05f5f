import { describe, expect, test } from '@jest/globals';
import { identify } from '../../functions/core/identity.ts';
import type { SensorSpec } from '../../functions/core/task.ts';
import { KINDS } from '../../functions/sensors/list.ts';
import { SENSOR_NEEDS } from '../../functions/sensors/permissions.ts';
import { sensorCatalog } from '../../functions/sensors/registry.ts';
import { BudgetSpent, PokeTimeout } from '../../functions/sensors/sensor.ts';
import { awsError, fakeIo, fakeSender, faultsOf, headError, sensorsOver, specOf } from './fakes.ts';

/** What the suite needs to know of a sensor. A sensor without a line here fails by its name. */
interface Sample {
  /** The least that can be submitted. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The same wait, said otherwise: defaults given, lists shuffled and doubled. */
  readonly same: Readonly<Record<string, unknown>>;
  /** More that can share a poke with it. */
  readonly others: readonly Readonly<Record<string, unknown>>[];
}

const step = (step_id: string): Record<string, unknown> => ({ job_flow_id: 'j-1', step_id });

const SAMPLES: Readonly<Record<string, Sample>> = {
  s3_key: {
    input: { key: ['s3://landing/b', 's3://landing/a'] },
    same: { bucket: 'landing', key: ['a', 'b', 'a'], min_size: 0, wildcard_match: false },
    others: [
      { bucket: 'landing', key: 'c' },
      { bucket: 'landing', key: 'd*', wildcard_match: true, min_size: 1 },
    ],
  },
  emr_step: {
    input: step('s-1'),
    same: {
      target_states: ['COMPLETED'],
      ...step('s-1'),
      failed_states: ['INTERRUPTED', 'FAILED', 'CANCELLED', 'FAILED'],
    },
    others: Array.from({ length: 24 }, (_, index) => step(`s-${index + 2}`)),
  },
  emr_job_flow: {
    input: { job_flow_id: 'j-1' },
    same: {
      failed_states: ['TERMINATED_WITH_ERRORS'],
      target_states: ['TERMINATED', 'TERMINATED'],
      job_flow_id: 'j-1',
    },
    others: [{ job_flow_id: 'j-2' }],
  },
  datetime: {
    input: { at: '2024-01-01T00:00:00Z' },
    same: { at: '2024-01-01T02:00:00.000+02:00' },
    others: [{ at: '2025-01-01T00:00:00Z' }],
  },
  external: {
    input: { watches: { type: 'emr_step', ...step('s-1') } },
    same: { watches: { target_states: ['COMPLETED'], ...step('s-1'), type: 'emr_step' } },
    others: [{}],
  },
};

/** The action that an operation needs where it is not of the same name. */
const ACTIONS: Readonly<Record<string, string>> = {
  's3:HeadObject': 's3:GetObject',
  's3:HeadBucket': 's3:ListBucket',
  's3:ListObjectsV2': 's3:ListBucket',
};

const actionOf = (operation: string): string => ACTIONS[operation] ?? operation.replace(/^emr:/, 'elasticmapreduce:');

const COMMANDS = ['HeadObject', 'HeadBucket', 'ListObjectsV2', 'ListSteps', 'DescribeStep', 'DescribeCluster'];

/** Clients of which every command has the one answer. */
function always(answer: object | undefined) {
  const script = Object.fromEntries(COMMANDS.map((command) => [command, answer]));
  return { s3: fakeSender(script), emr: fakeSender(script) };
}

const aborted = Object.assign(new Error('Request aborted'), { name: 'AbortError' });
const network = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

describe.each(KINDS.map((kind) => [kind.type, kind] as const))('%s', (type, kind) => {
  const sample = SAMPLES[type] ?? { input: {}, same: {}, others: [] };
  const inputs = [sample.input, ...sample.others].map((input): Record<string, unknown> => ({ type, ...input }));
  const asks = kind.operations.length > 0;

  const pokeAll = (clients: ReturnType<typeof always>, io = fakeIo(), first = true) =>
    sensorsOver(clients).poke(
      inputs.map((input) => ({ queue: 'q', spec: specOf(input), first })),
      io,
    );

  test('has its samples here', () => {
    expect(SAMPLES).toHaveProperty(type);
    expect(kind.summary).toMatch(/^[A-Z].*\.$/);
  });

  test('refuses unknown fields by name', () => {
    expect(faultsOf({ ...inputs[0], check_fn: 'f' })).toEqual(['check_fn: is not a known field']);
  });

  test('a normalised spec is its own normal form, and survives the store', () => {
    for (const spec of inputs.map(specOf)) {
      expect(specOf(spec)).toEqual(spec);
      expect(specOf(JSON.parse(JSON.stringify(spec)))).toEqual(spec);
    }
  });

  test('equal waits have equal hashes, whatever the order of keys and lists, defaults given or not', () => {
    const spec = specOf(inputs[0]);
    const reversed = Object.fromEntries(Object.entries({ type, ...sample.same }).toReversed());
    expect(identify(specOf({ type, ...sample.same }))).toEqual(identify(spec));
    expect(identify(specOf(reversed))).toEqual(identify(spec));
  });

  test('different waits have different hashes', () => {
    const hashes = inputs.map((input) => identify(specOf(input)).full_hash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('its operations are covered by its permissions, and those by what lib is told', () => {
    const actions = kind.permissions.flatMap((permission) => permission.actions);
    expect(new Set(kind.operations.map(actionOf))).toEqual(new Set(actions));
    expect(SENSOR_NEEDS.find((needs) => needs.type === type)).toEqual({
      type,
      operations: kind.operations,
      permissions: kind.permissions,
      cancelling: kind.cancelling?.permissions ?? [],
    });
  });

  test('names what it reads, of any partition, exactly where it needs permissions', () => {
    const resources = sensorCatalog.resourcesOf(specOf(inputs[0]));
    const permissions = [...kind.permissions, ...(kind.cancelling?.permissions ?? [])];
    const asked = permissions.flatMap((permission) => permission.resources);
    for (const resource of [...resources, ...asked]) expect(resource).toMatch(/^arn:\*:[a-z0-9]+:[^:]*:[^:]*:./);
    expect(resources.length > 0 || !asks).toBe(true);
  });

  test.each<[string, string, object | undefined]>([
    ['throttled', 'unknown', awsError('ThrottlingException', 400)],
    ['slow down', 'unknown', awsError('SlowDown', 503)],
    ['5xx', 'unknown', awsError('InternalServerException', 500)],
    ['5xx without a code', 'unknown', headError(502)],
    ['network', 'unknown', network],
    ['aborted', 'unknown', aborted],
    ['expired credentials', 'unknown', awsError('ExpiredToken', 400)],
    ['too slow', 'unknown', new PokeTimeout('took longer than 10 s')],
    ['no budget', 'unknown', new BudgetSpent('no room')],
    ['403', 'error', awsError('AccessDenied', 403)],
    ['403 without a code, not even where answers have bodies', 'unknown', headError(403)],
    ['400 without a code, there', 'unknown', headError(400)],
    ['bad request', 'error', awsError('InvalidRequestException', 400)],
    ['nothing at all', 'unknown', undefined],
  ])('%s: an observation for each item, and it is %s', async (_, expected, answer) => {
    const io = fakeIo();
    const observations = await pokeAll(always(answer), io);
    const kinds = observations.map((observation) => observation.kind);
    expect(kinds).toHaveLength(inputs.length);
    const answered = kinds.filter((seen) => seen === expected);
    // A HEAD's answer has nothing that must be there.
    const least = asks && !(type === 's3_key' && answer === undefined) ? inputs.length : 0;
    expect(answered.length).toBeGreaterThanOrEqual(least);
    expect(kind.operations).toEqual(expect.arrayContaining([...new Set(io.operations)]));
    expect(io.operations.length > 0).toBe(asks);
  });

  test('a throttle is told, for the budget', async () => {
    const observations = await pokeAll(always(awsError('ThrottlingException', 400)));
    const told = observations.filter((observation) => 'throttled' in observation);
    expect(told).toHaveLength(asks ? inputs.length : 0);
  });

  test('a defect is not an observation', async () => {
    const poked = pokeAll(always(new TypeError('a defect'))).then(
      () => 'observed',
      (error: unknown) => String(error),
    );
    expect(await poked).toBe(asks ? 'TypeError: a defect' : 'observed');
  });

  test('a poke changes no spec', async () => {
    const spec: SensorSpec = specOf(inputs[0]);
    const before = structuredClone(spec);
    await sensorsOver(always(headError(404))).poke([{ queue: 'q', spec, first: true }], fakeIo());
    expect(spec).toEqual(before);
  });
});
