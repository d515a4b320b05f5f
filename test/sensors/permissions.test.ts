import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAllowed, SENSOR_NEEDS } from '../../functions/sensors/permissions.ts';

const OBJECT = 'arn:*:s3:::landing/2024/a.csv';
const CLUSTER = 'arn:*:elasticmapreduce:*:*:cluster/j-1';

describe('isAllowed', () => {
  test.each([
    [OBJECT, ['*'], true],
    [OBJECT, [OBJECT], true],
    [OBJECT, ['arn:aws:s3:::landing/*'], true],
    [OBJECT, ['arn:aws:s3:::*'], true],
    [OBJECT, ['arn:aws:s3:::landing/????/*.csv'], true],
    [OBJECT, ['arn:aws:s3:::landing/2023/*', 'arn:aws:s3:::landing/2024/*'], true],
    [OBJECT, [], false],
    [OBJECT, ['arn:aws:s3:::landing'], false],
    [OBJECT, ['arn:aws:s3:::landing/2023/*'], false],
    [OBJECT, ['arn:aws:s3:::land/*'], false],
    [OBJECT, ['arn:aws:s3:::LANDING/*'], false],
    [OBJECT, ['landing/*'], false],
    // A star does not leave its part of the ARN.
    [OBJECT, ['arn:aws:*'], false],
    [OBJECT, ['arn:*/a.csv'], false],
    // The partition is the account's own.
    [OBJECT, ['arn:aws-cn:s3:::landing/*'], true],
    [OBJECT, ['arn:aws-us-gov:s3:::landing/*'], true],
    [OBJECT, ['arn:*:s3:::landing/*'], true],
    // What is itself a pattern must lie within.
    ['arn:aws:s3:::landing/*', ['arn:aws:s3:::landing/*'], true],
    ['arn:aws:s3:::landing/*.csv', ['arn:aws:s3:::landing/*'], true],
    ['arn:aws:s3:::landing/*', ['arn:aws:s3:::landing/*.csv'], false],
    ['arn:aws:s3:::landing/*', ['arn:aws:s3:::landing/?'], false],
    ['arn:aws:s3:::landing/?', ['arn:aws:s3:::landing/?'], true],
    ['arn:aws:s3:::landing/?', ['arn:aws:s3:::landing/a'], false],
    ['arn:aws:s3:::landing/a', ['arn:aws:s3:::landing/?'], true],
    ['arn:aws:s3:::landing/a*', ['arn:aws:s3:::landing/a'], false],
    ['arn:aws:s3:::landing/a:b', ['arn:aws:s3:::landing/*'], true],
    // Region and account are the service's own.
    [CLUSTER, ['arn:aws:elasticmapreduce:eu-west-1:123456789012:cluster/*'], true],
    [CLUSTER, ['arn:aws:elasticmapreduce:*:*:cluster/j-1'], true],
    [CLUSTER, ['arn:aws:elasticmapreduce:eu-west-1:123456789012:cluster/j-2'], false],
    ['arn:aws:s3:eu-west-1::x', ['arn:aws:s3:us-east-1::x'], false],
  ])('%s by %j: %j', (resource, allow, expected) => {
    expect(isAllowed(resource, allow)).toBe(expected);
  });

  test('a pattern that is allowed stands for nothing that is not', () => {
    const part = (chars: readonly string[]) =>
      fc.array(fc.constantFrom(...chars), { maxLength: 6 }).map((list) => list.join(''));
    const arn = (text: string): string => `arn:aws:s3:::${text}`;
    fc.assert(
      fc.property(part(['a', 'b', '*', '?']), part(['a', 'b', '*', '?']), part(['a', 'b']), (asked, open, text) => {
        const isInstance = isAllowed(arn(text), [arn(asked)]);
        fc.pre(isInstance && isAllowed(arn(asked), [arn(open)]));
        expect(isAllowed(arn(text), [arn(open)])).toBe(true);
      }),
      { numRuns: 500, maxSkipsPerRun: 1000 },
    );
  });

  test('stars do not multiply the work', () => {
    expect(isAllowed(`arn:aws:s3:::${'a'.repeat(1000)}`, [`arn:aws:s3:::${'*a'.repeat(300)}*b`])).toBe(false);
  });
});

describe('the needs of the sensors', () => {
  test('reading only: waiting starts, changes and ends nothing (case 98)', () => {
    const actions = SENSOR_NEEDS.flatMap(({ permissions }) => permissions.flatMap((permission) => permission.actions));
    expect(actions.toSorted()).toEqual([
      'elasticmapreduce:DescribeCluster',
      'elasticmapreduce:DescribeStep',
      'elasticmapreduce:ListSteps',
      's3:GetObject',
      's3:ListBucket',
    ]);
  });

  test('by type, each once', () => {
    const types = SENSOR_NEEDS.map(({ type }) => type);
    expect(types).toEqual(['s3_key', 'emr_step', 'emr_job_flow', 'datetime', 'external']);
  });
});
