import { describe, expect, test } from '@jest/globals';
import { sensorCatalog } from '../../functions/sensors/registry.ts';
import { fakeIo, faultsOf, poke, specOf } from './fakes.ts';

const WATCHES = { type: 'emr_step', job_flow_id: 'j-1', step_id: 's-1' };

describe('external', () => {
  test('watches nothing, if nothing is said', () => {
    expect(specOf({ type: 'external' })).toEqual({ type: 'external' });
    expect(sensorCatalog.watchedBy(specOf({ type: 'external' }))).toBeUndefined();
    expect(sensorCatalog.watchedBy(specOf(WATCHES))).toBeUndefined();
  });

  test('what it watches is normalised by that sensor', () => {
    const spec = specOf({ type: 'external', watches: WATCHES });
    expect(spec).toEqual({ type: 'external', watches: specOf(WATCHES) });
    expect(sensorCatalog.watchedBy(spec)).toEqual(specOf(WATCHES));
  });

  test.each([
    [{ type: 'external', watches: { type: 'external' } }, /^watches\.type: must be one of "s3_key".*"datetime"$/],
    [{ type: 'external', watches: { type: 'nope' } }, /^watches\.type: must be one of/],
    [{ type: 'external', watches: {} }, /^watches\.type: must be one of/],
    [{ type: 'external', watches: 's3_key' }, /^watches: must be an object$/],
    [{ type: 'external', watches: { ...WATCHES, step_id: '' } }, /^watches\.step_id: must be 1 to 256/],
    [{ type: 'external', watches: { ...WATCHES, x: 1 } }, /^watches\.x: is not a known field$/],
    [
      { type: 'external', watches: { type: 's3_key', bucket: 'B b', key: 'k' } },
      /^watches\.bucket: must be a bucket name/,
    ],
    [{ type: 'external', x: 1 }, /^x: is not a known field$/],
  ])('%j is refused', (input, fault) => {
    expect(faultsOf(input)).toEqual([expect.stringMatching(fault)]);
  });

  test('reads what the watched sensor reads, so that it opens no door', () => {
    const spec = specOf({ type: 'external', watches: { type: 's3_key', bucket: 'b', key: 'k' } });
    expect(sensorCatalog.resourcesOf(spec)).toEqual(['arn:*:s3:::b/k']);
    expect(sensorCatalog.resourcesOf(specOf({ type: 'external' }))).toEqual([]);
  });

  test('a poke asks nobody and ends nothing', async () => {
    const io = fakeIo();
    expect(await poke({}, { type: 'external', watches: WATCHES }, { io })).toEqual({ kind: 'not_met' });
    expect(io.operations).toEqual([]);
  });
});
