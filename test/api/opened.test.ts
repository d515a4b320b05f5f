import { describe, expect, test } from '@jest/globals';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import type { Opened } from '../../functions/sensors/opened.ts';
import { aService } from './service.ts';

const NARROW: Opened = {
  allow: ['arn:aws:s3:::landing/*'],
  queues: { 'team-a': { allow: ['arn:aws:s3:::landing/a/*'] } },
  closed: true,
};

const OTHERS = { type: 's3_key', bucket: 'landing', key: 'b/1' };
const REFUSAL = {
  status: 403,
  field: 'sensor',
  detail: 'the operator has not opened arn:*:s3:::landing/b/1 to the queue team-a',
};

describe('what a queue may read', () => {
  test.each<[string, object, number]>([
    ['its own', { queue: 'team-a', sensor: { ...OTHERS, key: 'a/1' } }, 201],
    ["another's", { queue: 'team-a', sensor: OTHERS }, 403],
    ['one of its own and another', { queue: 'team-a', sensor: { ...OTHERS, key: ['a/1', 'b/1'] } }, 403],
    ["work that watches another's", { queue: 'team-a', sensor: { type: 'external', watches: OTHERS } }, 403],
    ['anything, where the queue is not listed', { queue: 'team-b', sensor: { ...OTHERS, key: 'a/1' } }, 403],
    ['a time, there', { queue: 'team-b', sensor: { type: 'datetime', at: '2030-01-01T00:00:00Z' } }, 201],
    ['work that watches nothing, there', { queue: 'team-b', sensor: { type: 'external' } }, 201],
  ])('is judged at submit: %s', async (_, body, status) => {
    const { call } = aService({ opened: NARROW });
    expect((await call('POST', '/v1/tasks', body)).status).toBe(status);
  });

  test('names what is closed, and the queue', async () => {
    const { call } = aService({ opened: NARROW });
    expect((await call('POST', '/v1/tasks', { queue: 'team-a', sensor: OTHERS })).body).toMatchObject(REFUSAL);
  });

  test('is judged again at a clear, of which nothing stays', async () => {
    const before = aService({ opened: ALL_OPEN });
    const task = await before.submit({ id: 't', queue: 'team-a', sensor: OTHERS });
    await before.move('t', { type: 'failed', reason: 'so it is' });
    const failed = await before.task('t');
    const after = aService({ opened: NARROW, wrap: () => before.table });
    expect((await after.call('POST', `/v1/tasks/${task.id}/clear`)).body).toMatchObject(REFUSAL);
    expect(await after.task('t')).toEqual(failed);
  });
});

test.each(['aws-cn', 'aws-us-gov', '*'])(
  'what is opened in the partition %s is open, and nothing else',
  async (partition) => {
    const allow = ['s3:::landing/*', 'elasticmapreduce:*:*:cluster/j-1'].map((rest) => `arn:${partition}:${rest}`);
    const service = aService({ opened: { ...ALL_OPEN, allow } });
    for (const [sensor, status] of [
      [{ type: 's3_key', bucket: 'landing', key: 'in/a.csv' }, 201],
      [{ type: 's3_key', bucket: 'payroll', key: 'in/a.csv' }, 403],
      [{ type: 'emr_job_flow', job_flow_id: 'j-1' }, 201],
      [{ type: 'emr_job_flow', job_flow_id: 'j-2' }, 403],
    ] as const) {
      expect((await service.call('POST', '/v1/tasks', { sensor })).status).toBe(status);
    }
  },
);
