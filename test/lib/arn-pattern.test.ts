import { describe, expect, test } from '@jest/globals';
import { checkPattern, intersect } from '../../lib/arn-pattern.ts';

const OBJECTS = 'arn:*:s3:::*/*';
const BUCKETS = 'arn:*:s3:::*';
const CLUSTERS = 'arn:*:elasticmapreduce:*:*:cluster/*';

describe('a permission is narrowed to what the operator opened', () => {
  test.each([
    ['a prefix of a bucket', OBJECTS, 'arn:aws:s3:::landing/in/*', 'arn:aws:s3:::landing/in/*'],
    ['one object', OBJECTS, 'arn:aws:s3:::landing/a.csv', 'arn:aws:s3:::landing/a.csv'],
    [
      'the bucket of a prefix, for what is asked of a bucket',
      BUCKETS,
      'arn:aws:s3:::landing/in/*',
      'arn:aws:s3:::landing',
    ],
    ['buckets by name, for their objects', OBJECTS, 'arn:aws:s3:::landing*', 'arn:aws:s3:::landing*'],
    ['a bucket alone has no objects', OBJECTS, 'arn:aws:s3:::landing', undefined],
    ['all of S3, for its objects', OBJECTS, 'arn:aws:s3:::*', 'arn:aws:s3:::*/*'],
    ['all of S3, for its buckets', BUCKETS, 'arn:aws:s3:::*', 'arn:aws:s3:::*'],
    ['everything', CLUSTERS, '*', CLUSTERS],
    ['any partition', OBJECTS, 'arn:*:s3:::landing/*', 'arn:*:s3:::landing/*'],
    [
      'one cluster',
      CLUSTERS,
      'arn:aws:elasticmapreduce:eu-west-1:1:cluster/j-1',
      'arn:aws:elasticmapreduce:eu-west-1:1:cluster/j-1',
    ],
    [
      'all of a Region',
      CLUSTERS,
      'arn:aws:elasticmapreduce:eu-west-1:*:*',
      'arn:aws:elasticmapreduce:eu-west-1:*:cluster/*',
    ],
    ['another kind of resource', CLUSTERS, 'arn:aws:elasticmapreduce:*:*:studio/*', undefined],
    ['another service', CLUSTERS, 'arn:aws:s3:::*', undefined],
    ['another partition', OBJECTS, 'arn:aws-cn:s3:::landing/*', 'arn:aws-cn:s3:::landing/*'],
    ['single signs', OBJECTS, 'arn:aws:s3:::landing-?/*', 'arn:aws:s3:::landing-?/*'],
  ])('%s', (_, wanted, open, narrowed) => {
    expect(intersect(wanted, open)).toBe(narrowed);
  });
});

describe('what is no ARN pattern is refused', () => {
  test.each(['', 'landing', 's3://landing/*', 'arn:aws:s3', 'arn:aws:s3:::', 'arn::s3:::landing'])('%j', (text) => {
    expect(() => checkPattern(text)).toThrow(JSON.stringify(text));
  });

  test('also one that is longer than any', () => {
    expect(checkPattern(`arn:aws:s3:::${'b'.repeat(63)}/${'k'.repeat(1024)}`)).toContain('kkk');
    expect(() => checkPattern(`arn:aws:s3:::landing/${'k'.repeat(1200)}`)).toThrow('has 1221 characters');
  });

  test.each(['*', 'arn:aws:s3:::landing/*', CLUSTERS])('%s is one', (text) => {
    expect(checkPattern(text)).toBe(text);
  });
});
