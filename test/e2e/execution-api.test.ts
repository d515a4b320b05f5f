import { afterAll, describe, expect, test } from '@jest/globals';
import { ODD } from './api.ts';
import type { Reply } from './api.ts';
import { connect } from './service.ts';

const service = connect();
const { api } = service;
const queue = service.queue();

afterAll(() => service.leave());

const OWNER = { hostname: 'host-1', unixname: 'airflow', pid: 41 };
const BEAT = { hostname: OWNER.hostname, pid: OWNER.pid };

type Action = 'run' | 'state' | 'heartbeat';

function ask(id: string, action: Action, body: unknown): Promise<Reply> {
  const method = action === 'heartbeat' ? 'PUT' : 'PATCH';
  return api.call(method, `/execution/task-instances/${encodeURIComponent(id)}/${action}`, body);
}

/** What an answer consists of: its status and its body, `''` if it has none. */
const seen = ({ status, body, text }: Reply) => ({ status, body: text === '' ? '' : body });

const problem = (status: number, title: string, detail: string, more: object = {}) => ({
  status,
  body: { title, status, detail, ...more },
});

const submit = (exec: object = {}) => {
  const id = `${service.unique('external')}${ODD}`;
  return api.submit({ id, queue, sensor: { type: 'external' }, timeout: 3_600, ...exec });
};

describe('the life of an outside worker’s task, answer by answer', () => {
  test('run, heartbeat, failure, retry, and the end of all tries', async () => {
    const { id, deadline } = await submit({ retries: 1, retry_delay: 0 });
    const run = (n: number, end: string) => ({
      status: 200,
      body: {
        id,
        try_id: `${id}~${n}`,
        try_number: n,
        max_tries: 1,
        should_retry: n === 1,
        deadline: end,
        sensor: { type: 'external' },
      },
    });

    expect(await ask(id, 'heartbeat', BEAT).then(seen)).toEqual(
      problem(409, 'Conflict', 'the task is queued', { reason: 'not_running', previous_state: 'queued' }),
    );
    expect(await ask(`${id}~1`, 'run', OWNER).then(seen)).toEqual(run(1, deadline));
    expect(await ask(id, 'run', { state: 'running', ...OWNER }).then(seen)).toEqual(run(1, deadline));
    const held = { reason: 'invalid_state', previous_state: 'running' };
    for (const other of [{ hostname: 'host-2' }, { unixname: 'root' }, { pid: 42 }]) {
      const reply = await ask(id, 'run', { ...OWNER, ...other });
      expect(seen(reply)).toEqual(problem(409, 'Conflict', 'another worker runs the task', held));
      expect(reply.headers.get('content-type')).toBe('application/problem+json');
    }

    expect(await ask(`${id}~1`, 'heartbeat', BEAT).then(seen)).toEqual({ status: 204, body: '' });
    expect(await ask(id, 'heartbeat', { ...BEAT, pid: 42 }).then(seen)).toEqual(
      problem(409, 'Conflict', 'another worker runs the task', {
        reason: 'running_elsewhere',
        current_hostname: OWNER.hostname,
        current_pid: OWNER.pid,
      }),
    );

    const failed = { state: 'failed', reason: 'exit code 3' };
    expect(await ask(`${id}~1`, 'state', failed).then(seen)).toEqual({ status: 204, body: '' });
    expect(await ask(`${id}~1`, 'state', failed).then(seen)).toEqual({
      status: 200,
      body: { id, try_id: `${id}~1`, try_number: 1, state: 'up_for_retry' },
    });
    const between = { previous_state: 'up_for_retry' };
    expect(await ask(id, 'state', { state: 'success' }).then(seen)).toEqual(
      problem(409, 'Conflict', 'the task is up_for_retry and not running', { reason: 'invalid_state', ...between }),
    );
    expect(await ask(id, 'heartbeat', BEAT).then(seen)).toEqual(
      problem(409, 'Conflict', 'the task is up_for_retry', { reason: 'not_running', ...between }),
    );
    expect(await api.call('GET', `/v1/tasks/${id}/ready`)).toMatchObject({ status: 404 });

    const again = await service.tickUntil(
      () => api.task(id),
      ({ state }) => state === 'queued',
    );
    expect(again).toMatchObject({ try_number: 2, max_tries: 1 });
    const gone = problem(410, 'Gone', 'try 1 is over: the task is at try 2', { reason: 'gone', try_number: 2 });
    expect(await ask(`${id}~1`, 'heartbeat', BEAT).then(seen)).toEqual(gone);
    expect(await ask(`${id}~1`, 'state', { state: 'success' }).then(seen)).toEqual(gone);
    expect(await ask(`${id}~1`, 'run', OWNER).then(seen)).toEqual(gone);
    expect(await ask(id, 'heartbeat', { ...BEAT, try_number: 1 }).then(seen)).toEqual(gone);
    expect(await ask(`${id}~3`, 'heartbeat', BEAT)).toMatchObject({ status: 404 });

    expect(await ask(`${id}~2`, 'run', OWNER).then(seen)).toEqual(run(2, again.deadline));
    // No tries are left: the worker may ask for a retry, the rules say otherwise.
    expect(await ask(`${id}~2`, 'state', { state: 'up_for_retry' }).then(seen)).toEqual({ status: 204, body: '' });
    expect(await ask(`${id}~2`, 'state', { state: 'up_for_retry' }).then(seen)).toEqual({
      status: 200,
      body: { id, try_id: `${id}~2`, try_number: 2, state: 'failed' },
    });
    expect(seen(await api.call('GET', `/v1/tasks/${id}/ready`))).toEqual({
      status: 200,
      body: { id, state: 'failed', reason: 'its worker asks for a retry' },
    });
    expect((await api.task(id)).history.map(({ to, why, by }) => `${to}: ${why} (${by.split(':')[0]})`)).toEqual([
      'queued: submit (user)',
      'running: start (worker)',
      'up_for_retry: failed: exit code 3 (worker)',
      'queued: retry (service)',
      'running: start (worker)',
      'failed: failed: its worker asks for a retry (worker)',
    ]);
  });

  test.each([
    [{ state: 'success' }, {}, 'success'],
    [{ state: 'failed' }, {}, 'failed'],
    [{ state: 'fail_without_retry' }, { retries: 3 }, 'failed'],
    [{ state: 'fail_without_retry' }, { retries: 3, soft_fail: true }, 'skipped'],
    [{ state: 'skipped', reason: 'nothing to do' }, { retries: 3 }, 'skipped'],
    [{ state: 'up_for_retry' }, { retries: 3 }, 'up_for_retry'],
    [{ state: 'failed' }, { retries: 3, never_fail: true }, 'skipped'],
  ])('%j under %j: %s', async (body, exec, state) => {
    const { id } = await submit(exec);
    expect(await ask(id, 'run', OWNER)).toMatchObject({ status: 200 });
    expect(await ask(id, 'state', body)).toMatchObject({ status: 204, text: '' });
    expect(await api.task(id)).toMatchObject({ state, try_number: 1 });
    expect(await ask(id, 'state', body)).toMatchObject({ status: 200, body: { state } });
    const held = { reason: 'invalid_state', previous_state: state };
    const other = body.state === 'success' ? 'failed' : 'success';
    expect(await ask(id, 'state', { state: other })).toMatchObject({ status: 409, body: held });
  });

  test('up_for_reschedule: the same try again at its date, with the same deadline', async () => {
    const { id, deadline } = await submit();
    await ask(id, 'run', OWNER);
    const reschedule_date = new Date(Date.now() + 500).toISOString();
    const body = { state: 'up_for_reschedule', reschedule_date };
    expect(await ask(id, 'state', body)).toMatchObject({ status: 204 });
    expect(await ask(id, 'state', body)).toMatchObject({ status: 200, body: { state: 'up_for_reschedule' } });
    const again = await service.tickUntil(
      () => api.task(id),
      ({ state }) => state === 'queued',
    );
    expect(again).toMatchObject({ try_number: 1, deadline });
    expect(again).not.toHaveProperty('owner');
    expect(await ask(id, 'run', { ...OWNER, pid: 42 })).toMatchObject({ status: 200, body: { deadline } });
  });

  test('of 20 workers at once one runs the task', async () => {
    const { id } = await submit();
    const workers = Array.from({ length: 20 }, (_, pid) => ask(id, 'run', { ...OWNER, pid }));
    const statuses = (await Promise.all(workers)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect((await api.task(id)).history).toHaveLength(2);
  });

  test('a task that is cleared while it runs: its worker hears 410', async () => {
    const { id } = await submit({ retries: 2 });
    await ask(id, 'run', OWNER);
    expect(await api.call('POST', `/v1/tasks/${id}/clear`)).toMatchObject({ status: 200 });
    expect(await ask(`${id}~1`, 'heartbeat', BEAT)).toMatchObject({ status: 410 });
    expect(await api.task(id)).toMatchObject({ state: 'queued', try_number: 2, max_tries: 3 });
  });
});

describe('what is refused', () => {
  test('a task that is poked has no worker', async () => {
    const at = '2100-01-01T00:00:00Z';
    const { id } = await api.submit({ queue, sensor: { type: 'datetime', at }, timeout: 3_600 });
    const held = { reason: 'invalid_state', previous_state: 'sensing' };
    expect(await ask(id, 'run', OWNER)).toMatchObject({ status: 409, body: held });
    expect(await ask(id, 'state', { state: 'success' })).toMatchObject({ status: 409, body: held });
    await api.call('DELETE', `/v1/tasks/${id}`);
  });

  test('unknown tasks and tries: 404', async () => {
    const missing = problem(404, 'Not Found', 'there is no task instance with this id');
    const bodies = { run: OWNER, state: { state: 'success' }, heartbeat: BEAT };
    const { id } = await submit();
    for (const action of ['run', 'state', 'heartbeat'] as const) {
      for (const name of ['none', 'none~1', `${id}~0`, `${id}~2`, `${id}~x`, `${id}~1~1`, 'a b', 'x'.repeat(300)]) {
        expect(await ask(name, action, bodies[action]).then(seen)).toEqual(missing);
      }
    }
    expect(await api.task(id)).toMatchObject({ state: 'queued', history: [{ why: 'submit' }] });
  });

  test('bad bodies: 4xx with the field named, and the task stays as it is', async () => {
    const { id } = await submit();
    const doors: readonly (readonly [Action, unknown, number, string])[] = [
      ['run', [], 422, 'body'],
      ['run', { ...OWNER, pid: '41' }, 422, 'pid'],
      ['run', { ...OWNER, pid: 1e300 }, 422, 'pid'],
      ['run', { ...OWNER, hostname: 'a\u0007b' }, 422, 'hostname'],
      ['run', { ...OWNER, hostname: 'h'.repeat(256) }, 422, 'hostname'],
      ['run', { hostname: 'h', unixname: 'u' }, 422, 'pid'],
      ['run', { ...OWNER, shell: 'bash' }, 422, 'shell'],
      ['state', {}, 422, 'state'],
      ['state', { state: 'running' }, 422, 'state'],
      ['state', { state: 'removed' }, 422, 'state'],
      ['state', { state: 'failed', reason: 'x'.repeat(1_001) }, 422, 'reason'],
      ['state', { state: 'up_for_reschedule' }, 422, 'reschedule_date'],
      ['state', { state: 'up_for_reschedule', reschedule_date: 'tomorrow' }, 422, 'reschedule_date'],
      ['heartbeat', { hostname: 'h' }, 422, 'pid'],
      ['heartbeat', { ...BEAT, unixname: 'u' }, 422, 'unixname'],
    ];
    for (const [action, body, status, field] of doors) {
      const reply = await ask(id, action, body);
      expect(reply).toMatchObject({ status, body: { status, field } });
      expect(reply.headers.get('content-type')).toBe('application/problem+json');
    }
    for (const text of ['', '{', '\u0000', '['.repeat(100_000)]) {
      const reply = await api.call('PATCH', `/execution/task-instances/${id}/state`, undefined, { text });
      expect(reply).toMatchObject({ status: 400, body: { field: 'body' } });
    }
    expect(await ask(`${id}~1`, 'run', { ...OWNER, try_number: 2 })).toMatchObject({
      status: 422,
      body: { field: 'try_number', detail: 'try_number must be 1, as in the path' },
    });
    expect(await api.task(id)).toMatchObject({ state: 'queued', history: [{ why: 'submit' }] });
  });
});
