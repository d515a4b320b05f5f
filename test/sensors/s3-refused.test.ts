import { describe, expect, test } from '@jest/globals';
import { BudgetSpent } from '../../functions/sensors/sensor.ts';
import { awsError, fakeIo, fakeSender, headError, poke, pokeAll } from './fakes.ts';

const ONE = { type: 's3_key', bucket: 'landing', key: 'a/b.csv' };
const EXPIRED = awsError('ExpiredToken', 400);

// What S3 says to the LIST is tried on the wire (wire.test.ts).
describe('a LIST is asked why a HEAD was refused (N010)', () => {
  test.each([400, 403])('also where the %d names the Region in a header: that is not the reason', async (status) => {
    const head = headError(status, { 'x-amz-bucket-region': 'us-east-1' });
    const s3 = fakeSender({ HeadObject: head, ListObjectsV2: EXPIRED });
    expect(await poke({ s3 }, ONE)).toMatchObject({ kind: 'unknown' });
    expect(s3.sent[1]).toEqual({ command: 'ListObjectsV2', input: { Bucket: 'landing', MaxKeys: 1 } });
  });

  test('once for each bucket of a run', async () => {
    const s3 = fakeSender({ HeadObject: headError(400), ListObjectsV2: EXPIRED });
    const io = fakeIo();
    await pokeAll({ s3 }, [ONE, { ...ONE, key: 'other' }, { ...ONE, bucket: 'elsewhere' }], { io });
    expect(io.operations.filter((operation) => operation === 's3:ListObjectsV2')).toHaveLength(2);
  });

  test('where the budget has no room for it nothing is judged', async () => {
    const io = fakeIo();
    const call: typeof io.call = (operation, send) => {
      if (operation === 's3:ListObjectsV2') return Promise.reject(new BudgetSpent('no room'));
      return io.call(operation, send);
    };
    const s3 = fakeSender({ HeadObject: headError(400) });
    expect(await poke({ s3 }, ONE, { io: { ...io, call } })).toMatchObject({ kind: 'unknown' });
  });

  test('a defect behind it is not hidden', async () => {
    const s3 = fakeSender({ HeadObject: headError(400), ListObjectsV2: new TypeError('a defect') });
    await expect(poke({ s3 }, ONE)).rejects.toThrow('a defect');
  });
});
