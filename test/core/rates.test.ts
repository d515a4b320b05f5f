import { describe, expect, test } from '@jest/globals';
import { budgetName, rateOf, ratesOf, shareOf } from '../../functions/core/rates.ts';

describe('rate budgets', () => {
  test('an operation draws on its own budget if there is one, else on its API', () => {
    const rates = ratesOf({});
    expect(budgetName('emr:ListSteps', rates)).toBe('emr:ListSteps');
    expect(budgetName('s3:HeadObject', rates)).toBe('s3');
    expect(budgetName('glue:GetPartition', rates)).toBe('glue');
  });

  test('EMR begins at its default quota, each operation by itself (DESIGN, section 6)', () => {
    expect(rateOf('emr:ListSteps', ratesOf({}))).toEqual({ rate: 0.5, burst: 10 });
    expect(rateOf('emr:DescribeStep', ratesOf({}))).toEqual({ rate: 0.5, burst: 10 });
  });

  test('what is configured wins and is paced; EMR takes ten at once', () => {
    expect(rateOf('s3', ratesOf({ s3: 400 }))).toEqual({ rate: 400, burst: 1 });
    expect(rateOf('emr:ListSteps', ratesOf({ 'emr:ListSteps': 2 }))).toEqual({ rate: 2, burst: 10 });
  });

  test('an API that nobody named is not unlimited', () => {
    expect(rateOf('new', ratesOf({})).rate).toBeGreaterThan(0);
  });

  test('workers share, and each share lets a call through', () => {
    const shares = shareOf(ratesOf({ s3: 400 }), 0.75, 4);
    expect(shares['s3']).toEqual({ rate: 75, burst: 1 });
    expect(shares['emr:ListSteps']?.burst).toBeGreaterThanOrEqual(1);
  });
});
