import { describe, expect, test } from '@jest/globals';
import { queueAnswer, queuesAnswer } from '../../functions/api/schemas/answers.ts';
import { aService, SENSOR } from './service.ts';

describe('queues', () => {
  test('a queue is made by its first task, with defaults', async () => {
    const service = aService();
    expect(await service.call('GET', '/v1/queues/default')).toMatchObject({ status: 404 });
    await service.submit({ sensor: SENSOR });
    const { status, body } = await service.call('GET', '/v1/queues/default');
    expect(status).toBe(200);
    expect(queueAnswer.parse(body)).toMatchObject({
      name: 'default',
      worker_concurrency: 500,
      max_workers: 16,
      paused: false,
      idle: false,
      workers: { wanted: 0, running: 0 },
      rates: { s3: 500, 'emr:ListSteps': 0.5 },
    });
  });

  test('PUT sets all of its settings; what is left out has its default again', async () => {
    const service = aService();
    await service.call('PUT', '/v1/queues/team-a', { max_workers: 4, budgets: { s3: 100 }, max_active_tasks: 10 });
    expect((await service.call('GET', '/v1/queues/team-a')).body).toMatchObject({
      max_workers: 4,
      budgets: { s3: 100 },
      max_active_tasks: 10,
      rates: { s3: 100 },
    });
    const { status, body } = await service.call('PUT', '/v1/queues/team-a', { cooldown_seconds: 'PT5M' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ max_workers: 16, cooldown_seconds: 300, budgets: {} });
    expect(body).not.toHaveProperty('max_active_tasks');
  });

  test('all of them are listed by name', async () => {
    const service = aService();
    for (const name of ['b', 'a']) await service.call('PUT', `/v1/queues/${name}`, {});
    const { body } = await service.call('GET', '/v1/queues');
    expect(queuesAnswer.parse(body).queues.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('what the dispatcher knows of it survives a PUT', async () => {
    const service = aService();
    await service.call('PUT', '/v1/queues/a', {});
    const seen = await service.store.queue('a');
    const decision = { at: 1, desired: 2, running: 0, queued: 900, reason: 'due' };
    if (seen !== undefined) await service.store.saveQueue(seen, { ...seen, rev: seen.rev + 1, decision });
    const { body } = await service.call('PUT', '/v1/queues/a', { max_workers: 2 });
    expect(body).toMatchObject({ max_workers: 2, due: 900, workers: { wanted: 2, reason: 'due' } });
  });

  test.each([
    [{ worker_concurrency: 0 }, 'worker_concurrency'],
    [{ max_workers: 1.5 }, 'max_workers'],
    [{ cooldown_seconds: 'soon' }, 'cooldown_seconds'],
    [{ budgets: { s3: -1 } }, 'budgets.s3'],
    [{ budgets: { s3: 1e-200 } }, 'budgets.s3'],
    [{ budgets: { s3: 1e-7 } }, 'budgets.s3'],
    [{ budgets: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`api${n}`, 1])) }, 'budgets'],
    [{ budgets: 5 }, 'budgets'],
    [{ workers: 5 }, 'workers'],
    [{ paused: 'yes' }, 'paused'],
    [{ max_active_tasks: 0 }, 'max_active_tasks'],
  ])('%j is refused by field and changes nothing', async (body, field) => {
    const service = aService();
    const reply = await service.call('PUT', '/v1/queues/a', body);
    expect(reply).toMatchObject({ status: 422, body: { field } });
    expect(service.changes).toEqual([]);
  });

  test.each([
    ['min above max', { min_workers: 5, max_workers: 2 }, 'min_workers'],
    ['max below zero', { max_workers: -1 }, 'max_workers'],
  ])('N034: %s is refused and changes nothing', async (_, body, field) => {
    const service = aService();
    const reply = await service.call('PUT', '/v1/queues/a', body);
    expect(reply).toMatchObject({ status: 422, body: { field } });
    expect(service.changes).toEqual([]);
  });

  test.each([0, 0.000001, 0.5, 100_000])('a budget of %d calls a second is kept as it is', async (s3) => {
    const service = aService();
    const reply = await service.call('PUT', '/v1/queues/a', { budgets: { s3 } });
    expect(reply).toMatchObject({ status: 200, body: { budgets: { s3 } } });
    expect(await service.call('GET', '/v1/queues/a')).toEqual(reply);
  });

  test('a name that no queue can have', async () => {
    const service = aService();
    expect(await service.call('PUT', '/v1/queues/a@b', {})).toMatchObject({ status: 422, body: { field: 'name' } });
    expect(await service.call('GET', '/v1/queues/a@b')).toMatchObject({ status: 404 });
  });

  test('a submit beyond its limit is answered 429 for those that find no room, and a repeat is still the same', async () => {
    const service = aService();
    await service.call('PUT', '/v1/queues/small', { max_active_tasks: 2 });
    const tasks = ['a', 'b', 'c'].map((id) => ({ id, queue: 'small', sensor: SENSOR }));
    const { body } = await service.call('POST', '/v1/tasks', { tasks });
    expect(body.results.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect(await service.store.task('c')).toBeUndefined();
    expect(await service.call('POST', '/v1/tasks', tasks[2])).toMatchObject({ status: 429, body: { field: 'queue' } });
    expect(await service.call('POST', '/v1/tasks', tasks[0])).toMatchObject({ status: 201 });
    await service.move('a', { type: 'met' });
    expect(await service.call('POST', '/v1/tasks', tasks[2])).toMatchObject({ status: 201 });
  });
});
