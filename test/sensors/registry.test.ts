import { describe, expect, test } from '@jest/globals';
import { sensorCatalog } from '../../functions/sensors/registry.ts';
import { fakeIo, fakeSender, faultsOf, sensorsOver, specOf } from './fakes.ts';

const S3 = { type: 's3_key', bucket: 'b', key: ['k'], wildcard_match: false };
const STEP = { type: 'emr_step', job_flow_id: 'j-1', step_id: 's-1' };

describe('parseSensor', () => {
  test.each([
    [{ type: 'nope' }, 'type: must be one of "s3_key", "emr_step", "emr_job_flow", "datetime", "external"'],
    [{}, 'type: must be one of "s3_key", "emr_step", "emr_job_flow", "datetime", "external"'],
    [{ type: 7 }, 'type: must be one of "s3_key", "emr_step", "emr_job_flow", "datetime", "external"'],
    [{ type: 'toString' }, 'type: must be one of "s3_key", "emr_step", "emr_job_flow", "datetime", "external"'],
    [null, 'body: must be an object'],
    ['s3_key', 'body: must be an object'],
    [[S3], 'body: must be an object'],
  ])('%j is refused', (input, fault) => {
    expect(faultsOf(input)).toEqual([fault]);
  });

  test('all unknown fields are named', () => {
    expect(faultsOf({ ...S3, poke_interval: 5, check_fn: 'x' })).toEqual([
      'poke_interval: is not a known field',
      'check_fn: is not a known field',
    ]);
    expect(faultsOf(JSON.parse('{"type":"external","__proto__":{}}'))).toEqual(['__proto__: is not a known field']);
  });
});

describe('specs in the store', () => {
  const unreadable = { ...STEP, step_id: 7, target_states: ['COMPLETED'] };
  const strange = { type: 'of_another_version' };

  test('what needs no client', () => {
    expect(sensorCatalog.operationOf(S3)).toBe('s3:HeadObject');
    expect(sensorCatalog.operationOf(specOf({ type: 'external' }))).toBeUndefined();
    expect(sensorCatalog.batchKeyOf(S3)).toBeUndefined();
    expect(sensorCatalog.batchKeyOf(specOf(STEP))).toBe('j-1');
    expect(sensorCatalog.notBeforeOf(S3)).toBeUndefined();
  });

  test('one that cannot be read has no batch, so that it is poked alone, and is poison there', async () => {
    for (const spec of [unreadable, strange]) {
      expect(sensorCatalog.batchKeyOf(spec)).toBeUndefined();
      expect(sensorCatalog.notBeforeOf(spec)).toBeUndefined();
      await expect(sensorsOver().poke([{ queue: 'q', spec, first: false }], fakeIo())).rejects.toThrow(/sensor/);
    }
    expect(() => sensorCatalog.resourcesOf(unreadable)).toThrow(
      'the stored sensor cannot be read: step_id must be a string',
    );
    expect(() => sensorCatalog.resourcesOf(strange)).toThrow('no sensor of the type of_another_version');
    expect(() => sensorCatalog.watchedBy({ type: 'external', watches: unreadable })).toThrow(
      'step_id must be a string',
    );
  });

  test('an older record without a newer default is read with it', async () => {
    const emr = fakeSender({ ListSteps: { Steps: [{ Id: 's-1', Status: { State: 'COMPLETED' } }] } });
    expect(await sensorsOver({ emr }).poke([{ queue: 'q', spec: STEP, first: false }], fakeIo())).toEqual([
      { kind: 'met' },
    ]);
  });

  test('nothing to poke is nothing to ask', async () => {
    expect(await sensorsOver().poke([], fakeIo())).toEqual([]);
  });
});
