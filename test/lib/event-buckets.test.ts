import { expect, test } from '@jest/globals';
import { bucketMatchers } from '../../lib/event-buckets.ts';

test.each([
  [['arn:aws:s3:::landing/*'], ['landing']],
  [['arn:aws:s3:::landing', 'arn:aws:s3:::landing/in/*'], ['landing']],
  [
    ['arn:aws:s3:::team-*/*', 'arn:aws:s3:::raw?/x'],
    [{ prefix: 'team-' }, { prefix: 'raw' }],
  ],
  [['arn:aws:elasticmapreduce:*:*:cluster/*'], []],
  [[], []],
  [['arn:aws:s3:::*'], undefined],
  [['arn:aws:s3:::landing/*', 'arn:aws:s3:::*/*'], undefined],
  [['arn:aws:*:::*'], undefined],
  [['*'], undefined],
])('events of the buckets that %j opens are %j', (allow, matchers) => {
  expect(bucketMatchers(allow)).toEqual(matchers);
});
