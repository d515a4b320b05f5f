import { describe, expect, test } from '@jest/globals';
import { aService } from '../api/service.ts';
import type { Service } from '../api/service.ts';

const TI = '/execution/task-instances';
const OWNER = { state: 'running', hostname: 'h', unixname: 'u', pid: 1 };
const EXTERNAL = { sensor: { type: 'external' }, retries: 3, timeout: 86_400 };

const run = (service: Service, id: string, body: unknown = OWNER) => service.call('PATCH', `${TI}/${id}/run`, body);

describe('run', () => {
  test('says what the worker has to know', async () => {
    const service = aService();
    const watches = { type: 's3_key', bucket: 'b', key: ['k'], wildcard_match: false };
    await service.submit({ ...EXTERNAL, id: 'a', sensor: { type: 'external', watches } });
    service.at(60);
    const reply = await run(service, 'a');
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.body).toEqual({
      id: 'a',
      try_id: 'a~1',
      try_number: 1,
      max_tries: 3,
      should_retry: true,
      deadline: '2024-01-02T00:00:00.000Z',
      sensor: { type: 'external', watches },
    });
    const task = await service.task('a');
    expect(task).toMatchObject({ state: 'running', owner: { hostname: 'h', unixname: 'u', pid: 1 } });
    expect(task.history.at(-1)).toMatchObject({ from: 'queued', to: 'running', why: 'start', by: 'worker:h' });
  });

  test('case 72: the same owner gets the same answer again, another one 409', async () => {
    const service = aService();
    await service.submit({ ...EXTERNAL, id: 'a' });
    const first = await run(service, 'a~1');
    service.at(5);
    const written = service.changes.length;
    expect(await run(service, 'a~1')).toEqual(first);
    for (const other of [{ hostname: 'g' }, { unixname: 'v' }, { pid: 2 }]) {
      const reply = await run(service, 'a', { ...OWNER, ...other });
      expect(reply).toMatchObject({ status: 409, body: { reason: 'invalid_state', previous_state: 'running' } });
      expect(reply.headers['Content-Type']).toBe('application/problem+json');
    }
    expect(service.changes).toHaveLength(written);
  });

  test('case 74: of 20 workers at once one runs it, the others hear 409 and nothing fails', async () => {
    const service = aService();
    await service.submit({ ...EXTERNAL, id: 'a' });
    const replies = await Promise.all(Array.from({ length: 20 }, (_, pid) => run(service, 'a', { ...OWNER, pid })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19);
    const task = await service.task('a');
    expect(task.history.map(({ to }) => to)).toEqual(['queued', 'running']);
    expect(await service.call('PATCH', `${TI}/a/state`, { state: 'success' })).toMatchObject({ status: 204 });
    expect((await service.task('a')).state).toBe('success');
  });

  test('no retries: should_retry is false', async () => {
    const service = aService();
    await service.submit({ id: 'a', sensor: { type: 'external' } });
    expect((await run(service, 'a')).body).toMatchObject({ max_tries: 0, should_retry: false });
  });

  test('a task that is poked has no worker', async () => {
    const service = aService();
    await service.submit({ id: 's' });
    expect(await run(service, 's')).toMatchObject({
      status: 409,
      body: { reason: 'invalid_state', previous_state: 'sensing' },
    });
  });

  test.each([
    ['up_for_retry', { type: 'failed', reason: 'x' }],
    ['success', { type: 'met' }],
    ['up_for_reschedule', { type: 'reschedule', at: 1 }],
  ] as const)('a task that is %s cannot be run', async (state, event) => {
    const service = aService();
    await service.submit({ ...EXTERNAL, id: 'a' });
    await run(service, 'a');
    await service.move('a', event);
    expect(await run(service, 'a')).toMatchObject({
      status: 409,
      body: { reason: 'invalid_state', previous_state: state },
    });
  });
});

describe('which try is meant', () => {
  async function atTry2(): Promise<Service> {
    const service = aService();
    await service.submit({ ...EXTERNAL, id: 'a' });
    expect(await service.call('POST', '/v1/tasks/a/clear')).toMatchObject({ status: 200 });
    return service;
  }

  test.each([
    ['a~1', {}, 410],
    ['a~2', {}, 200],
    ['a~3', {}, 404],
    ['a~0', {}, 404],
    ['a~999999999', {}, 404],
    ['a', { try_number: 1 }, 410],
    ['a', { try_number: 2 }, 200],
    ['a', { try_number: 3 }, 404],
    ['a~2', { try_number: 2 }, 200],
    ['a~2', { try_number: 1 }, 422],
    ['b', {}, 404],
    ['b~1', {}, 404],
    ['a~', {}, 404],
    ['a~x', {}, 404],
    ['a~1~2', {}, 404],
    ['%7E1', {}, 404],
    ['..%2Fa', {}, 404],
    ['a%00', {}, 404],
  ])('%s %j: %i', async (id, body, status) => {
    const service = await atTry2();
    expect(await run(service, id, { ...OWNER, ...body })).toMatchObject({ status });
    const beat = { hostname: 'h', pid: 1, ...body };
    // Where the run was taken the heartbeat is, too.
    const expected = status === 200 ? 204 : status;
    expect(await service.call('PUT', `${TI}/${id}/heartbeat`, beat)).toMatchObject({ status: expected });
    const done = await service.call('PATCH', `${TI}/${id}/state`, { state: 'success', ...body });
    expect(done).toMatchObject({ status: expected });
    expect((await service.task('a')).state).toBe(status === 200 ? 'success' : 'queued');
  });

  test('case 76: a worker of a cleared try hears 410 and changes nothing', async () => {
    const service = aService();
    await service.submit({ ...EXTERNAL, id: 'a' });
    await run(service, 'a~1');
    await service.call('POST', '/v1/tasks/a/clear');
    const written = service.changes.length;
    for (const state of ['success', 'failed', 'skipped', 'fail_without_retry', 'up_for_retry']) {
      expect(await service.call('PATCH', `${TI}/a~1/state`, { state })).toMatchObject({ status: 410 });
    }
    expect(await service.call('PUT', `${TI}/a~1/heartbeat`, { hostname: 'h', pid: 1 })).toMatchObject({ status: 410 });
    expect(service.changes).toHaveLength(written);
    expect(await service.task('a')).toMatchObject({ state: 'queued', try_number: 2, max_tries: 4 });
  });
});

describe('bodies', () => {
  test.each([
    ['run', undefined, 400, 'body'],
    ['run', [], 422, 'body'],
    ['run', { ...OWNER, hostname: undefined }, 422, 'hostname'],
    ['run', { ...OWNER, hostname: '' }, 422, 'hostname'],
    ['run', { ...OWNER, hostname: 'x'.repeat(256) }, 422, 'hostname'],
    ['run', { ...OWNER, hostname: 'a\nb' }, 422, 'hostname'],
    ['run', { ...OWNER, unixname: 7 }, 422, 'unixname'],
    ['run', { ...OWNER, pid: '1' }, 422, 'pid'],
    ['run', { ...OWNER, pid: 1.5 }, 422, 'pid'],
    ['run', { ...OWNER, pid: -1 }, 422, 'pid'],
    ['run', { ...OWNER, pid: 1e300 }, 422, 'pid'],
    ['run', { ...OWNER, state: 'success' }, 422, 'state'],
    ['run', { ...OWNER, try_number: 0 }, 422, 'try_number'],
    ['run', { ...OWNER, extra: 1 }, 422, 'extra'],
    ['state', {}, 422, 'state'],
    ['state', { state: 'running' }, 422, 'state'],
    ['state', { state: 'removed' }, 422, 'state'],
    ['state', { state: 'success', extra: 1 }, 422, 'extra'],
    ['state', { state: 'failed', reason: '' }, 422, 'reason'],
    ['state', { state: 'failed', reason: 'x'.repeat(1001) }, 422, 'reason'],
    ['state', { state: 'up_for_reschedule' }, 422, 'reschedule_date'],
    ['state', { state: 'up_for_reschedule', reschedule_date: 5 }, 422, 'reschedule_date'],
    ['state', { state: 'up_for_reschedule', reschedule_date: '2024-01-01' }, 422, 'reschedule_date'],
    ['state', { state: 'success', reschedule_date: '2024-01-01T00:00:00Z' }, 422, 'reschedule_date'],
    ['heartbeat', {}, 422, 'hostname'],
    ['heartbeat', { hostname: 'h' }, 422, 'pid'],
    ['heartbeat', { hostname: 'h', pid: 1, unixname: 'u' }, 422, 'unixname'],
  ])('%s %j: %i naming %s', async (route, body, status, field) => {
    const service = aService();
    await service.submit({ ...EXTERNAL, id: 'a' });
    const written = service.changes.length;
    const method = route === 'heartbeat' ? 'PUT' : 'PATCH';
    const reply = await service.call(method, `${TI}/a/${route}`, body);
    expect(reply).toMatchObject({ status, body: { status, field } });
    expect(reply.headers['Content-Type']).toBe('application/problem+json');
    expect(service.changes).toHaveLength(written);
  });
});
