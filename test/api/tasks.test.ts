import { describe, expect, test } from '@jest/globals';
import { GRACE_MS } from '../../functions/core/membership.ts';
import { TableError } from '../../functions/store/table.ts';
import { T0 } from '../support/tasks.ts';
import { aService, SENSOR } from './service.ts';
import type { Service } from './service.ts';

const TASK = '/v1/tasks/a';
const iso = (seconds: number) => new Date(T0 + seconds * 1000).toISOString();

describe('GET a task', () => {
  test('200 with its version, 304 for who has it', async () => {
    const service = aService();
    const submitted = await service.call('POST', '/v1/tasks', { id: 'a', sensor: SENSOR });
    const read = await service.call('GET', TASK);
    expect(read).toMatchObject({ status: 200, body: submitted.body, headers: { ETag: '"1"' } });
    for (const tag of ['"1"', 'W/"1"', '"0", "1"', '*']) {
      const reply = await service.call('GET', TASK, undefined, { headers: { 'if-none-match': tag } });
      expect(reply).toMatchObject({ status: 304, body: undefined, headers: { ETag: '"1"' } });
    }
    for (const tag of ['"2"', '1', '']) {
      const reply = await service.call('GET', TASK, undefined, { headers: { 'If-None-Match': tag } });
      expect(reply.status).toBe(200);
    }
    await service.call('POST', `${TASK}/mark`, { state: 'failed' });
    const changed = await service.call('GET', TASK, undefined, { headers: { 'If-None-Match': '"1"' } });
    expect(changed).toMatchObject({ status: 200, headers: { ETag: '"2"' } });
  });

  test('nothing of the inside is shown', async () => {
    const service = aService();
    await service.submit({ id: 'a', sensor: { type: 'external' } });
    const shown = Object.keys((await service.call('GET', TASK)).body);
    for (const name of ['rev', 'submit_hash', 'first_poke', 'wake_at', 'expires_at', 'asked', 'exec', 'coordinates']) {
      expect(shown).not.toContain(name);
    }
  });
});

describe('ready', () => {
  test('404 until the task has ended, then 200 whatever the outcome', async () => {
    const service = aService();
    await service.submit({ id: 'a' });
    expect(await service.call('GET', `${TASK}/ready`)).toMatchObject({ status: 404, body: { state: 'sensing' } });
    for (const state of ['success', 'failed', 'skipped']) {
      await service.call('POST', `${TASK}/mark`, { state });
      expect(await service.call('GET', `${TASK}/ready`)).toMatchObject({ status: 200, body: { id: 'a', state } });
    }
    await service.call('DELETE', TASK);
    expect(await service.call('GET', `${TASK}/ready`)).toMatchObject({ status: 200, body: { state: 'removed' } });
    await service.call('POST', `${TASK}/clear`);
    expect(await service.call('GET', `${TASK}/ready`)).toMatchObject({ status: 404 });
  });

  test('why it ended, or with what', async () => {
    const service = aService();
    await service.submit({ id: 'a' });
    await service.move('a', { type: 'failed', reason: 'no such bucket' });
    expect((await service.call('GET', `${TASK}/ready`)).body).toEqual({
      id: 'a',
      state: 'failed',
      reason: 'no such bucket',
    });
  });

  test('a task that will be tried again has not ended', async () => {
    const service = aService();
    await service.submit({ id: 'a', retries: 1 });
    await service.move('a', { type: 'failed', reason: 'x' });
    expect(await service.call('GET', `${TASK}/ready`)).toMatchObject({ status: 404, body: { state: 'up_for_retry' } });
  });
});

describe('mark and remove', () => {
  test.each([
    ['POST', `${TASK}/mark`, { state: 'success' }, 'success'],
    ['POST', `${TASK}/mark`, { state: 'failed' }, 'failed'],
    ['POST', `${TASK}/mark`, { state: 'skipped' }, 'skipped'],
    ['DELETE', TASK, undefined, 'removed'],
  ])('%s %s %j: %s, and its target is looked at', async (method, path, body, state) => {
    const service = aService();
    const { hashcode } = await service.submit({ id: 'a', retries: 3 });
    service.at(50);
    const reply = await service.call(method, path, body);
    expect(reply).toMatchObject({ status: 200, body: { state, ended_at: iso(50), try_number: 1 } });
    const task = await service.task('a');
    expect(task.history.at(-1)).toMatchObject({ to: state, by: 'user:arn:aws:iam::1:user/ann', try_number: 1 });
    expect(await service.store.target({ queue: 'default', mode: 'smart', hashcode })).toMatchObject({ check: true });

    // Again: the same answer, nothing written.
    const count = service.changes.length;
    expect(await service.call(method, path, body)).toEqual(reply);
    expect(service.changes).toHaveLength(count);
  });

  test('a mark is taken in every state; a target is asked to look only for who waited on it', async () => {
    const service = aService();
    await service.submit({ id: 'a', sensor: { type: 'external' } });
    for (const state of ['success', 'failed', 'skipped', 'success']) {
      expect(await service.call('POST', `${TASK}/mark`, { state })).toMatchObject({ status: 200, body: { state } });
    }
    expect(service.changes.map(({ key }) => key)).not.toContainEqual(expect.stringMatching(/^TARGET#/));
  });

  test('a look that could not be asked for does not undo the mark', async () => {
    const service = aService({
      wrap: (table) => ({
        ...table,
        update: (update) =>
          update.key.startsWith('TARGET#') && update.change.set?.['check'] !== undefined
            ? Promise.reject(new TableError('throttled'))
            : table.update(update),
      }),
    });
    await service.submit({ id: 'a' });
    expect(await service.call('DELETE', TASK)).toMatchObject({ status: 200, body: { state: 'removed' } });
    expect(service.logged).toMatchObject([{ message: 'check not requested', id: 'a' }]);
  });

  test('a remove has what was watched ended where that was submitted and the operator opted in, and says so', async () => {
    const service = aService({ allowCancel: true });
    const step = { type: 'emr_step', job_flow_id: 'j-1', step_id: 's-1' };
    await service.submit({ id: 'a', sensor: step, cancel_on_kill: true });
    const removed = { status: 200, body: { state: 'removed', cancel_on_kill: true, cancel: { state: 'wanted' } } };
    expect(await service.call('DELETE', TASK)).toMatchObject(removed);
    expect(await service.call('DELETE', TASK)).toMatchObject(removed);
    expect((await service.task('a')).wake_at).toBe(T0);
    await service.submit({ id: 'b', sensor: step });
    expect((await service.call('DELETE', '/v1/tasks/b')).body).not.toHaveProperty('cancel');
  });

  test('a sensor that watches nothing that could be ended takes cancel_on_kill from everybody', async () => {
    const service = aService();
    await service.submit({ id: 'a', cancel_on_kill: true });
    expect(await service.task('a')).toMatchObject({ exec: { cancel_on_kill: true } });
  });

  test('a mark and a worker at once: both decide on what stands, and the mark is not overwritten', async () => {
    const service = aService();
    await service.submit({ id: 'a' });
    const marked = service.call('POST', `${TASK}/mark`, { state: 'skipped' });
    const moved = service.move('a', { type: 'met' }).catch((error: unknown) => error);
    expect(await marked).toMatchObject({ status: 200, body: { state: 'skipped' } });
    await moved;
    expect((await service.task('a')).state).toBe('skipped');
  });
});

describe('clear', () => {
  test('as after submit, in a new try; the target is joined before the task moves', async () => {
    const service = aService();
    const before = await service.submit({ id: 'a', retries: 2 });
    await service.call('POST', `${TASK}/mark`, { state: 'failed' });
    service.at(1000);
    const count = service.changes.length;
    const reply = await service.call('POST', `${TASK}/clear`);
    expect(reply).toMatchObject({
      status: 200,
      body: { state: 'sensing', try_number: 2, max_tries: 3, started_at: iso(1000), deadline: iso(1000 + 604_800) },
    });
    expect(reply.body).not.toHaveProperty('ended_at');
    const keys = service.changes.slice(count).map(({ key }) => key);
    expect(keys.slice(0, 2)).toEqual(['QUEUE#default', expect.stringMatching(/^TARGET#/)]);
    expect(keys.indexOf('TASK#a')).toBe(keys.length - 1);
    const target = await service.store.target(before);
    expect(target).toMatchObject({ joined_at: T0 + 1_000_000, next_deadline: before.deadline });
    expect(await service.task('a')).toMatchObject({ first_poke: true });
    expect(await service.task('a')).not.toHaveProperty('expires_at');
  });

  test('a target that is gone or asleep is there again', async () => {
    const service = aService();
    const task = await service.submit({ id: 'a' });
    await service.call('DELETE', TASK);
    const target = (await service.store.target(task))!;
    expect(await service.store.goDormant(target, T0)).toBe(true);
    service.at(GRACE_MS / 1000);
    await service.call('POST', `${TASK}/clear`);
    expect(await service.store.target(task)).not.toHaveProperty('dormant');
    expect((await service.store.members(task)).tasks.map(({ id }) => id)).toEqual(['a']);
  });

  test('a crash between join and transition leaves a target watched for nothing, no change of the task', async () => {
    const service = aService({
      wrap: (table) => ({
        ...table,
        update: (update) => (update.key === 'TASK#a' ? Promise.reject(new TableError('gone')) : table.update(update)),
      }),
    });
    const task = await service.submit({ id: 'a' });
    service.at(5);
    expect(await service.call('POST', `${TASK}/clear`)).toMatchObject({ status: 503 });
    expect(await service.task('a')).toEqual(task);
    expect(await service.store.target(task)).toMatchObject({ joined_at: T0 + 5000 });
  });

  test('case 51: an external task is queued again and shares no target', async () => {
    const service = aService();
    await service.submit({ id: 'a', sensor: { type: 'external' } });
    await service.call('PATCH', '/execution/task-instances/a/run', { hostname: 'h', unixname: 'u', pid: 1 });
    expect(await service.call('POST', `${TASK}/clear`)).toMatchObject({ body: { state: 'queued', try_number: 2 } });
    const task = await service.task('a');
    expect(task).not.toHaveProperty('owner');
    expect(task).not.toHaveProperty('first_poke');
  });

  test('8 at once are 8 tries: each decides on what stands', async () => {
    const service = aService();
    await service.submit({ id: 'a' });
    const replies = await Promise.all(Array.from({ length: 8 }, () => service.call('POST', `${TASK}/clear`)));
    const tries = replies.map(({ body }) => body.try_number).toSorted((a, b) => a - b);
    expect(tries).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('a task that changes faster than it can be read', () => {
  test('is 503: repeat', async () => {
    let raced = 0;
    const service: Service = aService({
      wrap: (table) => ({
        ...table,
        async update(update) {
          if (update.key === 'TASK#a' && update.change.set?.['state'] !== undefined) {
            raced += 1;
            await table.update({ key: 'TASK#a', change: { add: { rev: 1 } } });
          }
          return table.update(update);
        },
      }),
    });
    await service.submit({ id: 'a' });
    expect(await service.call('DELETE', TASK)).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    expect(raced).toBe(8);
    expect((await service.task('a')).state).toBe('sensing');
  });

  test('is 404 when it vanishes meanwhile', async () => {
    const service = aService({
      wrap: (table) => ({
        ...table,
        async update(update) {
          if (update.key === 'TASK#a') await table.delete('TASK#a', []);
          return table.update(update);
        },
      }),
    });
    await service.submit({ id: 'a' });
    expect(await service.call('DELETE', TASK)).toMatchObject({ status: 404 });
  });
});
