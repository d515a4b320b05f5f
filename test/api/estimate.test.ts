import { describe, expect, test } from '@jest/globals';
import { estimateAnswer } from '../../functions/api/schemas/answers.ts';
import { aService, SENSOR } from './service.ts';

describe('POST /v1/estimate', () => {
  test('says what a task would cost in each mode, and writes nothing', async () => {
    const service = aService();
    const { status, body } = await service.call('POST', '/v1/estimate', { task: { sensor: SENSOR }, duplicates: 50 });
    expect(status).toBe(200);
    expect(estimateAnswer.parse(body)).toMatchObject({ duplicates: 50, wait: 3600, auto: { mode: 'smart' } });
    expect(service.changes).toEqual([]);
  });

  test.each([
    [{}, 'task'],
    [{ task: { sensor: SENSOR }, duplicates: 0 }, 'duplicates'],
    [{ task: { sensor: SENSOR }, wait: 'P1Y' }, 'wait'],
    [{ task: { sensor: SENSOR, retires: 3 } }, 'task.retires'],
    [{ task: { sensor: SENSOR }, mode: 'smart' }, 'mode'],
  ])('%j is refused by field', async (body, field) => {
    const reply = await aService().call('POST', '/v1/estimate', body);
    expect(reply).toMatchObject({ status: 422, body: { field } });
  });
});
