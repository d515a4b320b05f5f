import { describe, expect, test } from '@jest/globals';
import { objectDetails } from '../../lib/object-events.ts';

const name = (...bucket: unknown[]) => ({ bucket: { name: bucket } });
const keys = (...key: unknown[]) => ({ object: { key } });
const of = (allow: readonly string[], longest = 2000) =>
  objectDetails(allow, (detail) => JSON.stringify(detail).length <= longest);

describe('the objects whose events are of use', () => {
  test.each([
    [['arn:aws:s3:::landing/*'], [name('landing')]],
    [['arn:aws-cn:s3:::landing/*'], [name('landing')]],
    [['arn:aws:s3:::landing'], [name('landing')]],
    [['arn:aws:s3:::landing/in/*'], [{ ...name('landing'), ...keys({ prefix: 'in/' }) }]],
    [['arn:aws:s3:::landing/in/a?.csv'], [{ ...name('landing'), ...keys({ prefix: 'in/a' }) }]],
    [['arn:aws:s3:::landing/a:b/c.csv'], [{ ...name('landing'), ...keys('a:b/c.csv') }]],
    [[`arn:aws:s3:::landing/${'k'.repeat(900)}`], [{ ...name('landing'), ...keys({ prefix: 'k'.repeat(200) }) }]],
    // All of a bucket is also what lies below a prefix.
    [['arn:aws:s3:::landing/in/*', 'arn:aws:s3:::landing/*'], [name('landing')]],
    [
      ['arn:aws:s3:::landing/in/*', 'arn:aws:s3:::landing/out/*', 'arn:aws:s3:::landing/in/*'],
      [{ ...name('landing'), ...keys({ prefix: 'in/' }, { prefix: 'out/' }) }],
    ],
    // A star of a bucket's name stands for slashes, too.
    [['arn:aws:s3:::team-*/in/*', 'arn:aws:s3:::raw?/x'], [name({ prefix: 'raw' }, { prefix: 'team-' })]],
    [['arn:aws:elasticmapreduce:*:*:cluster/*'], []],
    [[], []],
    [['arn:aws:s3:::*'], [{}]],
    [['arn:aws:s3:::landing/*', 'arn:aws:s3:::*/*'], [{}]],
    [['arn:aws:*:::*'], [{}]],
    [['*'], [{}]],
  ])('by %j are %j', (allow, details) => {
    expect(of(allow)).toEqual(details);
  });

  test('are told in several patterns where one is too short: buckets of equal keys together, whole buckets apart', () => {
    const allow = ['b', 'a', 'c'].flatMap((bucket) => [`arn:aws:s3:::${bucket}/in/*`, `arn:aws:s3:::all-${bucket}/*`]);
    expect(of(allow, 66)).toEqual([
      name('all-a', 'all-b', 'all-c'),
      { ...name('a', 'b'), ...keys({ prefix: 'in/' }) },
      { ...name('c'), ...keys({ prefix: 'in/' }) },
    ]);
  });

  test('are all matched, however they come together', () => {
    const allow = Array.from({ length: 40 }, (_, each) => `arn:aws:s3:::bucket-${each % 7}/team-${each}/*`);
    const details = of(allow, 300);
    for (let each = 0; each < 40; each += 1) {
      const [bucket, prefix] = [`bucket-${each % 7}`, `team-${each}/`];
      const matching = details.filter(
        (detail) =>
          detail.bucket?.name.includes(bucket) &&
          detail.object?.key.some((key) => typeof key === 'object' && key.prefix === prefix),
      );
      expect(matching).not.toEqual([]);
    }
    for (const detail of details) expect(JSON.stringify(detail).length).toBeLessThanOrEqual(300);
  });
});
