import { describe, expect, test } from '@jest/globals';
import { budgetName, rateOf, ratesNow, ratesOf } from '../../functions/core/rates.ts';

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

  test('what throttling has lowered holds, with less at once, but never none', () => {
    const rates = ratesNow({ s3: 400 }, { s3: 100, 'emr:ListSteps': 0.25, 'emr:DescribeStep': 0.01 });
    expect(rates['s3']).toEqual({ rate: 100, burst: 1 });
    expect(rates['emr:ListSteps']).toEqual({ rate: 0.25, burst: 5 });
    expect(rates['emr:DescribeStep']).toEqual({ rate: 0.01, burst: 1 });
    expect(rates['emr:DescribeCluster']).toEqual({ rate: 0.5, burst: 10 });
  });

  test('a limit that was set lower since holds at once', () => {
    expect(ratesNow({ s3: 50 }, { s3: 100 })['s3']?.rate).toBe(50);
  });
});
