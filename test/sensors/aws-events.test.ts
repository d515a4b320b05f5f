import { describe, expect, test } from '@jest/globals';
import { eventKeys } from '../../functions/sensors/aws-events.ts';
import { parseSensor, sensorCatalog } from '../../functions/sensors/registry.ts';
import type { SensorSpec } from '../../functions/core/task.ts';

const readEvent = (event: unknown) => sensorCatalog.readEvent(event);
const eventKeyOf = (sensor: SensorSpec) => sensorCatalog.eventKeyOf(sensor);
const concerns = (sensor: SensorSpec, narrowest: string) => sensorCatalog.concerns(sensor, narrowest);

function spec(input: object): SensorSpec {
  const parsed = parseSensor(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.spec;
}

/** As S3 sends it: https://docs.aws.amazon.com/AmazonS3/latest/userguide/ev-events.html */
const created = {
  version: '0',
  id: '17793124-05d4-b198-2fde-7ededc63b103',
  'detail-type': 'Object Created',
  source: 'aws.s3',
  account: '111122223333',
  time: '2021-11-12T00:00:00Z',
  region: 'ca-central-1',
  resources: ['arn:aws:s3:::landing'],
  detail: {
    version: '0',
    bucket: { name: 'landing' },
    object: { key: 'in/a+b c.csv', size: 5, etag: 'b1946ac92492d2347c6235b4d2611184', sequencer: '00617F08299329D189' },
    'request-id': 'N4N7GDK58NMKJ12R',
    requester: '123456789012',
    'source-ip-address': '1.2.3.4',
    reason: 'PutObject',
  },
};

/** As EMR sends them: https://docs.aws.amazon.com/emr/latest/ManagementGuide/emr-manage-cloudwatch-events.html */
const step = {
  version: '0',
  id: '8965277f-1739-4eb7-8a3a-000000000000',
  'detail-type': 'EMR Step Status Change',
  source: 'aws.emr',
  detail: {
    severity: 'INFO',
    actionOnFailure: 'CONTINUE',
    stepId: 's-1',
    name: 'n',
    clusterId: 'j-1',
    state: 'COMPLETED',
  },
};
const cluster = {
  version: '0',
  id: '1234abb0-f87e-1234-b7b6-000000123456',
  'detail-type': 'EMR Cluster State Change',
  source: 'aws.emr',
  detail: {
    severity: 'INFO',
    stateChangeReason: '{"code":"USER_REQUEST"}',
    name: 'n',
    clusterId: 'j-1',
    state: 'TERMINATED',
  },
};

describe('an event', () => {
  test('of an object has its key, as it stands, and its bucket (N017)', () => {
    const narrowest = 's3:landing/in/a+b c.csv';
    expect(readEvent(created)).toEqual({ id: created.id, narrowest, keys: [narrowest, 's3:landing'] });
  });

  test('of a step that has ended, and of a cluster (N017)', () => {
    expect(readEvent(step)).toMatchObject({ narrowest: 'emr:j-1/s-1', keys: ['emr:j-1/s-1'] });
    expect(readEvent(cluster)).toMatchObject({ narrowest: 'emr:j-1', keys: ['emr:j-1'] });
    for (const state of ['CANCELLED', 'FAILED', 'INTERRUPTED']) {
      expect(readEvent({ ...step, detail: { ...step.detail, state } })).toBeDefined();
    }
  });

  test.each([
    ['of a step that goes on', { ...step, detail: { ...step.detail, state: 'RUNNING' } }],
    ['of an object that is gone', { ...created, 'detail-type': 'Object Deleted' }],
    ['of another source', { ...created, source: 'my.app' }],
    ['of one source with the type of the other', { ...created, source: 'aws.emr' }],
    ['without an id', { ...created, id: undefined }],
    ['without a key', { ...created, detail: { ...created.detail, object: {} } }],
    ['with an empty bucket', { ...created, detail: { ...created.detail, bucket: { name: '' } } }],
    ['that is none', undefined],
    ['that is a text', 'Object Created'],
    ['that is a list', [created]],
    ['without detail', { ...step, detail: null }],
  ])('%s can end no wait', (_, event) => {
    expect(readEvent(event)).toBeUndefined();
  });
});

describe('a sensor', () => {
  const landing = (key: string | string[], more: object = {}) =>
    spec({ type: 's3_key', bucket: 'landing', key, ...more });

  test.each([
    [landing('a/b'), 's3:landing/a/b'],
    [spec({ type: 's3_key', key: 's3://landing/a/b' }), 's3:landing/a/b'],
    [landing('a/b', { min_size: 5 }), 's3:landing/a/b'],
    [landing(['a', 'b']), 's3:landing'],
    [landing(['a', 'a']), 's3:landing/a'],
    [landing('a/*', { wildcard_match: true }), 's3:landing'],
    [spec({ type: 'emr_step', job_flow_id: 'j-1', step_id: 's-1' }), 'emr:j-1/s-1'],
    [spec({ type: 'emr_job_flow', job_flow_id: 'j-1' }), 'emr:j-1'],
    [spec({ type: 'datetime', at: '2024-01-01T00:00:00Z' }), undefined],
    [spec({ type: 'external' }), undefined],
    [{ type: 's3_key' }, undefined],
    [{ type: 'gone' }, undefined],
  ])('%j is found by %s', (sensor, key) => {
    expect(eventKeyOf(sensor)).toBe(key);
  });

  test('is concerned by the keys that it waits for, and by no others of the bucket', () => {
    const list = landing(['a', 'b/c']);
    const pattern = landing(['in/*.csv', 'x?'], { wildcard_match: true });
    const concerned = (sensor: SensorSpec, keys: string[]) =>
      keys.filter((key) => concerns(sensor, eventKeys.object('landing', key)));
    const keys = ['a', 'b/c', 'c', 'in/1.csv', 'in/1.txt', 'x1', 'x'];
    expect(concerned(list, keys)).toEqual(['a', 'b/c']);
    expect(concerned(pattern, keys)).toEqual(['in/1.csv', 'x1']);
    expect(concerned(landing('a'), keys)).toEqual(['a']);
    expect(concerns(spec({ type: 'emr_job_flow', job_flow_id: 'j-1' }), 'emr:j-1')).toBe(true);
  });

  test('with the longest names has a key that an index takes', () => {
    const key = eventKeyOf(landing('k'.repeat(1024)));
    expect(Buffer.byteLength(key ?? '')).toBeLessThan(2048 - 'EVENT#'.length);
  });
});
