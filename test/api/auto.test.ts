import { describe, expect, test } from '@jest/globals';
import { aService, SENSOR } from './service.ts';

describe('mode auto', () => {
  test.each([
    ['an ordinary wait', { sensor: SENSOR }, 'smart', 'sensing'],
    ['an interval that smart mode cannot keep', { sensor: SENSOR, poke_interval: 5 }, 'deferrable', 'deferred'],
    ['outside work', { sensor: { type: 'external' } }, 'smart', 'queued'],
  ])('%s', async (_name, body, mode, state) => {
    const service = aService();
    const task = await service.submit({ ...body, id: 'a', mode: 'auto' });
    expect(task).toMatchObject({ mode, state });
    const { body: explained } = await service.call('GET', '/v1/tasks/a/explain');
    expect(explained).toMatchObject({ mode, mode_reason: task.mode_reason });
    expect(task.mode_reason).toBeTruthy();
  });

  test('the same body is the same submit, whatever auto took', async () => {
    const service = aService();
    const first = await service.submit({ id: 'a', sensor: SENSOR, mode: 'auto' });
    expect(await service.submit({ id: 'a', sensor: SENSOR, mode: 'auto' })).toMatchObject({ rev: first.rev });
  });

  test('a mode that was asked for has no reason', async () => {
    const service = aService();
    await service.submit({ id: 'a', sensor: SENSOR, mode: 'smart' });
    const { body } = await service.call('GET', '/v1/tasks/a/explain');
    expect(body).not.toHaveProperty('mode_reason');
  });
});
