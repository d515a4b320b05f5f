import { describe, expect, test } from '@jest/globals';
import { BudgetSpent } from '../../functions/sensors/sensor.ts';
import { awsError, fakeIo, fakeSender, headError, poke, pokeAll } from './fakes.ts';

const ONE = { type: 's3_key', bucket: 'landing', key: 'a/b.csv' };
const WILD = { type: 's3_key', bucket: 'landing', key: 'a/*.csv', wildcard_match: true };
const page = (keys: readonly (readonly [string, number])[], next?: string): object => ({
  Contents: keys.map(([Key, Size]) => ({ Key, Size })),
  IsTruncated: next !== undefined,
  NextContinuationToken: next,
});

describe('without wildcard', () => {
  test('a text is one key and one HEAD, not one a letter (case 102)', async () => {
    const s3 = fakeSender({ HeadObject: { ContentLength: 0 } });
    expect(await poke({ s3 }, { ...ONE, key: 'abc' })).toEqual({ kind: 'met' });
    expect(s3.sent).toEqual([{ command: 'HeadObject', input: { Bucket: 'landing', Key: 'abc' } }]);
  });

  test('all keys must be there; the first that is not ends the poke', async () => {
    const there = new Set(['a', 'c']);
    const s3 = fakeSender({ HeadObject: ({ Key }: { Key: string }) => (there.has(Key) ? {} : headError(404)) });
    const input = { ...ONE, key: ['a', 'b', 'c'] };
    expect(await poke({ s3 }, input)).toEqual({ kind: 'not_met', detail: 's3://landing/b is not there' });
    expect(s3.sent).toHaveLength(2);
    there.add('b');
    expect(await poke({ s3 }, input)).toEqual({ kind: 'met' });
  });

  test.each([
    [{ ContentLength: 10 }, 'not_met'],
    [{ ContentLength: 11 }, 'met'],
    [{}, 'unknown'],
  ])('min_size 11 and the answer %j: %s', async (answer, kind) => {
    expect(await poke({ s3: fakeSender({ HeadObject: answer }) }, { ...ONE, min_size: 11 })).toMatchObject({ kind });
  });

  test('min_size 0 is any size, and does not ask for one', async () => {
    expect(await poke({ s3: fakeSender({ HeadObject: {} }) }, { ...ONE, min_size: 0 })).toEqual({ kind: 'met' });
  });
});

describe('what S3 answers to a HEAD', () => {
  test.each([
    ['NotFound', headError(404)],
    ['NotFound without a status', Object.assign(new Error(), { name: 'NotFound', $fault: 'client' })],
  ])('%s is not yet, and a later poke does not ask for the bucket', async (_, error) => {
    const io = fakeIo();
    expect(await poke({ s3: fakeSender({ HeadObject: error }) }, ONE, { io })).toMatchObject({ kind: 'not_met' });
    expect(io.operations).toEqual(['s3:HeadObject']);
  });

  test('the first poke asks for the bucket, once a bucket and run', async () => {
    const s3 = fakeSender({ HeadObject: headError(404), HeadBucket: headError(404) });
    const io = fakeIo();
    const inputs = [ONE, { ...ONE, key: 'other' }, { ...ONE, bucket: 'elsewhere' }];
    const observations = await pokeAll({ s3 }, inputs, { first: true, io });
    expect(observations).toEqual([
      { kind: 'error', reason: 'bucket landing does not exist' },
      { kind: 'error', reason: 'bucket landing does not exist' },
      { kind: 'error', reason: 'bucket elsewhere does not exist' },
    ]);
    expect(io.operations.filter((operation) => operation === 's3:HeadBucket')).toHaveLength(2);
  });

  test.each([
    ['is there', {}],
    ['is denied', headError(403)],
    ['is throttled', headError(503)],
    ['is elsewhere', headError(301)],
  ])('a bucket that %s leaves the key not there', async (_, answer) => {
    const s3 = fakeSender({ HeadObject: headError(404), HeadBucket: answer });
    expect(await poke({ s3 }, ONE, { first: true })).toMatchObject({ kind: 'not_met' });
  });

  test('no budget for the bucket leaves the key not there', async () => {
    const s3 = fakeSender({ HeadObject: headError(404) });
    const io = fakeIo();
    const call: typeof io.call = (operation, send) => {
      if (operation === 's3:HeadBucket') return Promise.reject(new BudgetSpent('no room'));
      return io.call(operation, send);
    };
    expect(await poke({ s3 }, ONE, { first: true, io: { ...io, call } })).toMatchObject({ kind: 'not_met' });
  });

  test('a defect behind the HeadBucket is not hidden', async () => {
    const s3 = fakeSender({ HeadObject: headError(404), HeadBucket: new TypeError('a defect') });
    await expect(poke({ s3 }, ONE, { first: true })).rejects.toThrow('a defect');
  });

  test.each([
    ['without a code', headError(403)],
    ['with one', awsError('AccessDenied', 403)],
  ])('403 %s is permanent and names both permissions', async (_, error) => {
    const s3 = fakeSender({ HeadObject: error, ListObjectsV2: awsError('AccessDenied', 403) });
    const observation = await poke({ s3 }, ONE);
    expect(observation).toEqual({
      kind: 'error',
      reason: expect.stringMatching(
        /s3:GetObject on arn:\*:s3:::landing\/a\/b\.csv.*s3:ListBucket on arn:\*:s3:::landing/,
      ),
    });
  });

  test('a bucket in another Region, said by a header, is an error that names it', async () => {
    const error = headError(301, { 'x-amz-bucket-region': 'eu-west-1' });
    const observation = await poke({ s3: fakeSender({ HeadObject: error }) }, ONE);
    expect(observation).toEqual({ kind: 'error', reason: expect.stringContaining('eu-west-1') });
  });

  test.each([
    [headError(400), 'error'],
    [headError(307), 'unknown'],
    [headError(500), 'unknown'],
  ])('%s is %s', async (error, kind) => {
    expect(await poke({ s3: fakeSender({ HeadObject: error, ListObjectsV2: {} }) }, ONE)).toMatchObject({ kind });
  });

  test('503 without a code is S3 asking to slow down', async () => {
    const observation = await poke({ s3: fakeSender({ HeadObject: headError(503) }) }, ONE);
    expect(observation).toMatchObject({ kind: 'unknown', throttled: true });
  });
});

describe('with wildcard', () => {
  test('lists from the literal prefix, page by page, until something matches', async () => {
    const s3 = fakeSender({
      ListObjectsV2: ({ ContinuationToken: token }: { ContinuationToken?: string }) => {
        if (token === undefined) return page([['a/x.txt', 1]], 'two');
        return token === 'two' ? page([['a/b/y.csv', 1]], 'three') : new Error('too far');
      },
    });
    expect(await poke({ s3 }, WILD)).toEqual({ kind: 'met', value: { keys: ['a/b/y.csv'] } });
    expect(s3.sent.map(({ input }) => input)).toEqual([
      { Bucket: 'landing', Prefix: 'a/' },
      { Bucket: 'landing', Prefix: 'a/', ContinuationToken: 'two' },
    ]);
  });

  test('each pattern needs its match', async () => {
    const s3 = fakeSender({
      ListObjectsV2: ({ Prefix }: { Prefix: string }) =>
        page(
          Prefix === 'b'
            ? []
            : [
                ['a1', 1],
                ['c', 1],
              ],
        ),
    });
    const input = { ...WILD, key: ['a?', 'b*', 'c'] };
    expect(await poke({ s3 }, input)).toEqual({ kind: 'not_met', detail: 's3://landing/b* is not there' });
  });

  test('an empty answer is not yet', async () => {
    const s3 = fakeSender({ ListObjectsV2: { KeyCount: 0, IsTruncated: false } });
    expect(await poke({ s3 }, WILD)).toMatchObject({ kind: 'not_met' });
  });

  test('the size counts alike in both forms (case 103)', async () => {
    const objects: [string, number][] = [
      ['a/1.csv', 10],
      ['a/2.csv', 11],
    ];
    const s3 = fakeSender({
      ListObjectsV2: page(objects),
      HeadObject: ({ Key }: { Key: string }) => ({ ContentLength: new Map(objects).get(Key) }),
    });
    for (const [key, min_size, kind] of [
      ['a/1.csv', 10, 'met'],
      ['a/1.csv', 11, 'not_met'],
      ['a/2.csv', 11, 'met'],
      ['a/2.csv', 12, 'not_met'],
    ] as const) {
      expect(await poke({ s3 }, { ...ONE, key, min_size })).toMatchObject({ kind });
      expect(await poke({ s3 }, { ...WILD, key, min_size })).toMatchObject({ kind });
    }
    expect(await poke({ s3 }, { ...WILD, min_size: 11 })).toEqual({ kind: 'met', value: { keys: ['a/2.csv'] } });
    expect(await poke({ s3 }, { ...WILD, min_size: 12 })).toEqual({
      kind: 'not_met',
      detail: 's3://landing/a/1.csv has 10 of at least 12 bytes',
    });
  });

  test.each([
    ['no such bucket', awsError('NoSuchBucket', 404), { kind: 'error', reason: 'bucket landing does not exist' }],
    [
      'denied',
      awsError('AccessDenied', 403),
      { kind: 'error', reason: expect.stringContaining('s3:ListBucket on arn:*:s3:::landing') },
    ],
    ['slow down', awsError('SlowDown', 503), { kind: 'unknown', throttled: true }],
    [
      'more without a token',
      { IsTruncated: true },
      { kind: 'unknown', reason: expect.stringContaining('answer misses NextContinuationToken') },
    ],
    [
      'an object without a key',
      { Contents: [{}] },
      { kind: 'unknown', reason: expect.stringContaining('answer misses Contents.0.Key') },
    ],
  ])('%s', async (_, answer, expected) => {
    expect(await poke({ s3: fakeSender({ ListObjectsV2: answer }) }, WILD)).toMatchObject(expected);
  });

  test('a match without a size is unknown where the size counts', async () => {
    const s3 = fakeSender({ ListObjectsV2: { Contents: [{ Key: 'a/1.csv' }] } });
    expect(await poke({ s3 }, { ...WILD, min_size: 1 })).toMatchObject({ kind: 'unknown' });
  });
});
