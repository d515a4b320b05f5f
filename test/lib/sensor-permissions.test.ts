import { describe, expect, test } from '@jest/globals';
import { ENDING, narrow, paginate, READING } from '../../lib/sensor-permissions.ts';

const buckets = (count: number): string[] =>
  Array.from({ length: count }, (_, each) => `arn:aws:s3:::acme-landing-${String(each).padStart(4, '0')}/in/*`);

/** As AWS counts: without white space. */
const size = (page: ReturnType<typeof narrow>): number =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: page.map(({ actions, resources }) => ({ Action: actions, Effect: 'Allow', Resource: resources })),
  }).length;

describe('what sensors need, on what the operator opened', () => {
  test('is asked of the objects, of their bucket, and of nothing else', () => {
    expect(narrow(READING, ['arn:aws-cn:s3:::landing/in/*', 'arn:aws-cn:s3:::landing/out/*'])).toEqual([
      { actions: ['s3:GetObject'], resources: ['arn:aws-cn:s3:::landing/in/*', 'arn:aws-cn:s3:::landing/out/*'] },
      { actions: ['s3:ListBucket'], resources: ['arn:aws-cn:s3:::landing'] },
    ]);
    expect(narrow(ENDING, ['arn:aws:s3:::landing/*'])).toEqual([]);
    expect(narrow(READING, [])).toEqual([]);
  });

  test('is of any partition where the operator says everything', () => {
    expect(narrow(READING, ['*']).flatMap(({ resources }) => resources)).toEqual([
      'arn:*:s3:::*/*',
      'arn:*:s3:::*',
      'arn:*:elasticmapreduce:*:*:cluster/*',
      'arn:*:elasticmapreduce:*:*:cluster/*',
    ]);
  });
});

describe('the pages of policies', () => {
  test('are each what a managed policy holds, and together all of it', () => {
    const allow = buckets(300);
    const pages = paginate(READING, allow);
    expect(pages.length).toBeGreaterThan(3);
    for (const page of pages) expect(size(page)).toBeLessThan(6144);
    const opened = (action: string) =>
      pages.flatMap((page) =>
        page.filter(({ actions }) => actions.includes(action)).flatMap(({ resources }) => resources),
      );
    expect(opened('s3:GetObject')).toEqual(allow);
    expect(opened('s3:ListBucket')).toEqual(allow.map((arn) => arn.replace('/in/*', '')));
  });

  test('stay as they are, but for the last, where a pattern is added at the end', () => {
    const before = paginate(READING, buckets(300));
    expect(paginate(READING, buckets(301)).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  });

  test('have room for the longest name of a partition', () => {
    const allow = buckets(100).map((arn) => arn.replace('arn:aws:', 'arn:*:'));
    for (const page of paginate(READING, allow)) {
      const text = JSON.stringify(page).replaceAll('arn:*:', 'arn:aws-us-gov:');
      expect(size(JSON.parse(text) as typeof page)).toBeLessThan(6144);
    }
  });

  test('are none where nothing is opened', () => {
    expect(paginate(READING, [])).toEqual([]);
    expect(paginate(ENDING, buckets(10))).toEqual([]);
  });
});
