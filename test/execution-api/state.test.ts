import { describe, expect, test } from '@jest/globals';
import { T0 } from '../support/tasks.ts';
import { aService } from '../api/service.ts';
import type { Reply, Service } from '../api/service.ts';

const TI = '/execution/task-instances';
const OWNER = { state: 'running', hostname: 'h', unixname: 'u', pid: 1 };

/** A service with one external task `a` that runs. */
async function running(exec: object = {}): Promise<Service> {
  const service = aService();
  await service.submit({ id: 'a', sensor: { type: 'external' }, timeout: 3600, ...exec });
  await service.call('PATCH', `${TI}/a/run`, OWNER);
  return service;
}

const ask = (service: Service, body: object, id = 'a'): Promise<Reply> =>
  service.call('PATCH', `${TI}/${id}/state`, body);

const beat = (service: Service, body: object, id = 'a'): Promise<Reply> =>
  service.call('PUT', `${TI}/${id}/heartbeat`, body);

describe('what a worker asks for and what the rules make of it', () => {
  test.each([
    ['success', {}, 'success'],
    ['failed', {}, 'failed'],
    ['failed', { retries: 1 }, 'up_for_retry'],
    ['failed', { retries: 1, never_fail: true }, 'skipped'],
    ['failed', { soft_fail: true }, 'failed'],
    ['up_for_retry', { retries: 1 }, 'up_for_retry'],
    ['up_for_retry', {}, 'failed'],
    ['fail_without_retry', { retries: 1 }, 'failed'],
    ['fail_without_retry', { retries: 1, soft_fail: true }, 'skipped'],
    ['fail_without_retry', { retries: 1, never_fail: true }, 'skipped'],
    ['skipped', { retries: 1 }, 'skipped'],
  ])('%s with %j: %s', async (state, exec, becomes) => {
    const service = await running(exec);
    service.at(100);
    expect(await ask(service, { state })).toMatchObject({ status: 204, body: undefined });
    const task = await service.task('a');
    expect(task).toMatchObject({ state: becomes, try_number: 1, ended_at: T0 + 100_000 });
    expect(task.history.at(-1)).toMatchObject({ from: 'running', to: becomes, by: 'worker:h', try_number: 1 });

    // The same again is answered 200 and changes nothing.
    service.at(200);
    const written = service.changes.length;
    expect(await ask(service, { state }, 'a~1')).toMatchObject({
      status: 200,
      body: { id: 'a', try_id: 'a~1', try_number: 1, state: becomes },
    });
    expect(service.changes).toHaveLength(written);
  });

  test.each([
    [1, 3, 'up_for_retry'],
    [4, 3, 'failed'],
    [1, 0, 'failed'],
  ])('cases 70, 71: (try %i, max %i) is %s, whatever the worker asks', async (tryNumber, retries, becomes) => {
    for (const state of ['failed', 'up_for_retry']) {
      const service = aService();
      await service.submit({ id: 'a', sensor: { type: 'external' }, retries });
      for (let n = 1; n < tryNumber; n += 1) {
        await service.call('PATCH', `${TI}/a/run`, OWNER);
        await service.move('a', { type: 'failed', reason: 'x' });
        // A retry begins once its delay is over.
        service.at(n * 301);
        await service.move('a', { type: 'retry_due' });
      }
      await service.call('PATCH', `${TI}/a/run`, OWNER);
      expect(await ask(service, { state })).toMatchObject({ status: 204 });
      expect(await service.task('a')).toMatchObject({ state: becomes, try_number: tryNumber });
    }
  });

  test('case 73: success twice is 204 and 200; failed after it is 409 and changes nothing', async () => {
    const service = await running({ retries: 2 });
    expect(await ask(service, { state: 'success' })).toMatchObject({ status: 204 });
    expect(await ask(service, { state: 'success' })).toMatchObject({ status: 200 });
    const reply = await ask(service, { state: 'failed' });
    expect(reply).toMatchObject({ status: 409, body: { reason: 'invalid_state', previous_state: 'success' } });
    expect((await service.task('a')).state).toBe('success');
  });

  test('case 87: the worker says why, and history keeps it with the try and the actor', async () => {
    const service = await running({ retries: 1 });
    await ask(service, { state: 'failed', reason: 'exit code 3' });
    expect(await service.task('a')).toMatchObject({
      reason: 'exit code 3',
      history: [
        { why: 'submit', by: 'user:arn:aws:iam::1:user/ann' },
        { why: 'start', by: 'worker:h' },
        { why: 'failed: exit code 3', by: 'worker:h', try_number: 1 },
      ],
    });
  });

  test.each(['queued', 'up_for_retry'])('a task that is %s and asked for nothing of the kind: 409', async (state) => {
    const service = aService();
    await service.submit({ id: 'a', sensor: { type: 'external' }, retries: 1 });
    if (state === 'up_for_retry') await service.move('a', { type: 'failed', reason: 'lost' });
    expect(await ask(service, { state: 'success' })).toMatchObject({
      status: 409,
      body: { reason: 'invalid_state', previous_state: state },
    });
  });

  test('a task that is poked is not ended by anybody else', async () => {
    const service = aService();
    await service.submit({ id: 's' });
    expect(await ask(service, { state: 'success' }, 's')).toMatchObject({
      status: 409,
      body: { reason: 'invalid_state', previous_state: 'sensing' },
    });
  });

  test('of a success and a failure at once one wins and the other hears 409', async () => {
    const service = await running();
    const replies = await Promise.all([ask(service, { state: 'success' }), ask(service, { state: 'failed' })]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409]);
    expect((await service.task('a')).history).toHaveLength(3);
  });

  test("a user's mark stands against the worker's late word", async () => {
    const service = await running();
    await service.call('POST', '/v1/tasks/a/mark', { state: 'skipped' });
    expect(await ask(service, { state: 'success' })).toMatchObject({
      status: 409,
      body: { previous_state: 'skipped' },
    });
    expect((await service.task('a')).state).toBe('skipped');
  });
});

describe('up_for_reschedule', () => {
  const later = { state: 'up_for_reschedule', reschedule_date: '2024-01-01T00:10:00+00:00' };

  test('waits until the date, then the same worker or another runs the same try', async () => {
    const service = await running();
    expect(await ask(service, later)).toMatchObject({ status: 204 });
    const task = await service.task('a');
    expect(task).toMatchObject({ state: 'up_for_reschedule', wake_at: T0 + 600_000 });
    expect(task).not.toHaveProperty('owner');
    expect(await ask(service, later)).toMatchObject({ status: 200 });
    expect(await beat(service, { hostname: 'h', pid: 1 })).toMatchObject({ body: { reason: 'not_running' } });
    service.at(600);
    await service.move('a', { type: 'reschedule_due' });
    expect(await ask(service, later)).toMatchObject({ status: 200 });
    const other = { ...OWNER, hostname: 'g' };
    expect(await service.call('PATCH', `${TI}/a/run`, other)).toMatchObject({ status: 200, body: { try_number: 1 } });
    expect(await service.task('a')).not.toHaveProperty('asked');
    expect((await service.task('a')).deadline).toBe(task.deadline);
  });

  test('a date past the deadline: the deadline is looked at in time', async () => {
    const service = await running();
    const { deadline } = await service.task('a');
    expect(await ask(service, { ...later, reschedule_date: '9999-01-01T00:00:00Z' })).toMatchObject({ status: 204 });
    expect((await service.task('a')).wake_at).toBe(deadline + 1);
  });
});

describe('heartbeat', () => {
  test('is noted, for this owner of this try alone', async () => {
    const service = await running();
    service.at(30);
    expect(await beat(service, { hostname: 'h', pid: 1 }, 'a~1')).toMatchObject({ status: 204, body: undefined });
    expect((await service.task('a')).heartbeat_at).toBe(T0 + 30_000);
    expect(await beat(service, { hostname: 'h', pid: 1 })).toMatchObject({ status: 204 });
    const elsewhere = await beat(service, { hostname: 'h', pid: 2 });
    expect(elsewhere).toMatchObject({
      status: 409,
      body: { reason: 'running_elsewhere', current_hostname: 'h', current_pid: 1 },
    });
    expect(await beat(service, { hostname: 'g', pid: 1 })).toMatchObject({ body: { reason: 'running_elsewhere' } });
  });

  test('case 77: after the end it is refused, and changes nothing', async () => {
    const service = await running();
    await ask(service, { state: 'success' });
    const written = service.changes.length;
    expect(await beat(service, { hostname: 'h', pid: 1 }, 'a~1')).toMatchObject({
      status: 409,
      body: { reason: 'not_running', previous_state: 'success' },
    });
    expect(service.changes).toHaveLength(written);
  });

  test('a task that is poked runs nowhere; a removed one no more', async () => {
    const service = await running();
    await service.submit({ id: 's' });
    expect(await beat(service, { hostname: 'h', pid: 1 }, 's')).toMatchObject({ body: { reason: 'not_running' } });
    await service.call('DELETE', '/v1/tasks/a');
    expect(await beat(service, { hostname: 'h', pid: 1 })).toMatchObject({ body: { previous_state: 'removed' } });
  });

  test('it does not hinder the end that is asked for at the same time', async () => {
    const service = await running();
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, () => beat(service, { hostname: 'h', pid: 1 })),
      ask(service, { state: 'success' }),
    ]);
    expect(replies.at(-1)).toMatchObject({ status: 204 });
    expect((await service.task('a')).state).toBe('success');
  });
});
