import { describe, expect, test } from '@jest/globals';
import { identify } from '../../functions/core/identity.ts';
import { sensorCatalog } from '../../functions/sensors/registry.ts';
import { faultsOf, specOf } from './fakes.ts';

const ONE = { type: 's3_key', bucket: 'landing', key: 'a/b.csv' };
const NAME = 'must be a bucket name';

describe('poke context', () => {
  test('defaults, one form of key', () => {
    expect(specOf(ONE)).toEqual({ type: 's3_key', bucket: 'landing', key: ['a/b.csv'], wildcard_match: false });
  });

  test('keys are sorted, each once', () => {
    expect(specOf({ ...ONE, key: ['c', 'a', 'c', 'b'] })).toMatchObject({ key: ['a', 'b', 'c'] });
  });

  test('a URL and a bucket with a key are one context, so one hash', () => {
    const url = specOf({ type: 's3_key', key: 's3://landing/a/b.csv', wildcard_match: false, min_size: 0 });
    expect(url).toEqual(specOf(ONE));
    expect(identify(url)).toEqual(identify(specOf({ ...ONE, key: ['a/b.csv', 'a/b.csv'] })));
  });

  test.each([
    ['s3://b/k', 'k'],
    ['S3://b/k', 'k'],
    ['s3://b//k', '/k'],
    ['s3://b/a%20b?x#y', 'a%20b?x#y'],
  ])('the key of %s is what follows the bucket, as it stands: %s', (url, key) => {
    expect(specOf({ type: 's3_key', key: url })).toMatchObject({ bucket: 'b', key: [key] });
  });

  test('a list of URLs', () => {
    const spec = specOf({ type: 's3_key', key: ['s3://b/z', 's3://b/a'] });
    expect(spec).toMatchObject({ bucket: 'b', key: ['a', 'z'] });
  });

  test.each([
    [{ ...ONE, key: 's3://landing/k' }, 'key: must not be an s3:// URL where bucket is given'],
    [{ type: 's3_key', key: ['s3://b/k', 's3://c/k'] }, 'key[1]: must name one bucket, not both b and c'],
    [{ type: 's3_key', key: 'k' }, 'bucket: is required where key is not an s3:// URL'],
    [{ type: 's3_key', key: 's3://b' }, 'key: must not be empty'],
    [{ type: 's3_key', key: 's3://b c/k' }, `key: ${NAME}`],
    [{ ...ONE, key: '' }, 'key: must not be empty'],
    [{ ...ONE, key: [] }, 'key: must name at least one key'],
    [{ ...ONE, key: ['a', ''] }, 'key[1]: must not be empty'],
    [{ ...ONE, key: 7 }, 'key: must be a string or a list'],
    [{ type: 's3_key', bucket: 'b' }, 'key: is required'],
    [{ ...ONE, key: 'é'.repeat(513) }, 'key: must have at most 1,024 bytes in UTF-8'],
    [{ ...ONE, key: 'a\u0000b' }, 'key: must not have control characters'],
    [{ ...ONE, key: 'a\u0085' }, 'key: must not have control characters'],
    [{ ...ONE, key: 'a\ud800' }, 'key: must be well-formed Unicode'],
    [{ ...ONE, key: Array.from({ length: 101 }, (_, n) => `k${n}`) }, 'key: must have at most 100 entries'],
    [{ ...ONE, bucket: 'Land ing' }, `bucket: ${NAME}`],
    [{ ...ONE, bucket: 'A'.repeat(256) }, `bucket: ${NAME}`],
    [{ ...ONE, bucket: 'A..b' }, `bucket: ${NAME}`],
    [
      { ...ONE, bucket: 'arn:aws:s3:eu-west-1:111122223333:accesspoint/a' },
      'bucket: must be a bucket name, not an ARN',
    ],
    [{ ...ONE, bucket: 'a/b' }, `bucket: ${NAME}`],
    [{ ...ONE, bucket: '-a' }, `bucket: ${NAME}`],
    [{ ...ONE, bucket: 'a..b' }, `bucket: ${NAME}`],
    [{ ...ONE, bucket: '10.0.0.1' }, `bucket: ${NAME}`],
    [{ ...ONE, bucket: 'a'.repeat(64) }, `bucket: ${NAME}`],
    [{ ...ONE, bucket: '' }, `bucket: ${NAME}`],
    [{ ...ONE, wildcard_match: 'yes' }, 'wildcard_match: must be true or false'],
    [{ ...ONE, min_size: -1 }, 'min_size: must be at least 0'],
    [{ ...ONE, min_size: 1.5 }, 'min_size: must be a whole number'],
    [{ ...ONE, prefix: 'a' }, 'prefix: is not a known field'],
  ])('%j is refused', (input, fault) => {
    expect(faultsOf(input)).toEqual([expect.stringContaining(fault)]);
  });

  test.each(['my_company_logs', 'MyCompanyLogs', 'A', '_', `A${'b'.repeat(254)}`])(
    'N005: a bucket of before March 2018 is taken: %s',
    (bucket) => {
      expect(specOf({ ...ONE, bucket })).toMatchObject({ bucket });
      expect(specOf({ type: 's3_key', key: `s3://${bucket}/k` })).toMatchObject({ bucket, key: ['k'] });
    },
  );

  test.each([
    [{ type: 's3_key', bucket: 'b', key: 's3://b/x' }, 'key: must not be an s3:// URL where bucket is given'],
    [{ type: 's3_key', key: 'x/y' }, 'bucket: is required where key is not an s3:// URL'],
    [{ ...ONE, key: [['a', 'b']] }, 'key[0]: must be a string'],
  ])('N008, N009: %j is refused at once', (input, fault) => {
    expect(faultsOf(input)).toEqual([expect.stringContaining(fault)]);
  });

  test('N001, N003: what follows the bucket is the key, whatever is in it', () => {
    const key = 'path/email campaign - PO# 123456_REPORT.csv';
    expect(specOf({ type: 's3_key', key: `s3://my-bucket/${key}` })).toMatchObject({ bucket: 'my-bucket', key: [key] });
    expect(specOf({ ...ONE, key: 'file_with_?.parquet' })).toMatchObject({ key: ['file_with_?.parquet'] });
  });

  test('1,024 bytes and a bucket of one letter are taken', () => {
    expect(faultsOf({ ...ONE, bucket: 'b', key: 'é'.repeat(512) })).toEqual([]);
  });
});

describe('resources', () => {
  test.each([
    [ONE, ['arn:*:s3:::landing/a/b.csv']],
    [{ ...ONE, key: ['x', 'y'] }, ['arn:*:s3:::landing/x', 'arn:*:s3:::landing/y']],
    [{ ...ONE, wildcard_match: true, key: 'a/[0-9]?*.csv' }, ['arn:*:s3:::landing/a/??*.csv']],
  ])('%j reads %j', (input, expected) => {
    expect(sensorCatalog.resourcesOf(specOf(input))).toEqual(expected);
  });
});
