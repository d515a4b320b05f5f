import { afterAll, expect, test } from '@jest/globals';
import pLimit from 'p-limit';
import { taskKey } from '../../functions/store/keys.ts';
import { connect } from './service.ts';

const service = connect();
const { api } = service;
const queue = service.queue();

afterAll(() => service.leave());

/** A wait that nothing ends. */
const WAIT = { queue, sensor: { type: 'datetime', at: '2100-01-01T00:00:00Z' }, timeout: 86_400 };

const waiting = (name: string, more: object = {}) => ({ ...WAIT, id: service.unique(name), ...more });

test('the same body gives the same task, another body 409, and nothing is written', async () => {
  const body = waiting('same', { tags: { team: 'data' } });
  const first = await api.call('POST', '/v1/tasks', body);
  expect(first).toMatchObject({ status: 201, body: { id: body.id, state: 'sensing', tags: { team: 'data' } } });
  expect(first.headers.get('location')).toBe(`/v1/tasks/${body.id}`);
  const before = await service.table.keys();
  const reordered = Object.fromEntries(Object.entries({ ...body, poke_interval: 'PT1M' }).toReversed());
  for (const again of [body, reordered]) {
    expect(await api.call('POST', '/v1/tasks', again)).toMatchObject({ status: 201, body: first.body as object });
  }
  const other = await api.call('POST', '/v1/tasks', { ...body, retries: 1 });
  expect(other).toMatchObject({ status: 409, body: { status: 409, field: 'id' } });
  expect(await api.call('GET', `/v1/tasks/${body.id}`)).toMatchObject({ status: 200, body: first.body as object });
  expect(await service.table.keys()).toEqual(before);
});

test('100 submits of one id, ten always at once, make one task', async () => {
  const body = waiting('once', { retries: 1 });
  // More at once would be as many processes: the emulator has one for each invocation that runs, and a limit.
  const replies = await pLimit(10).map(Array.from({ length: 100 }), () => api.call('POST', '/v1/tasks', body));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect((await api.task(body.id)).history).toHaveLength(1);
  expect((await service.table.get(taskKey(body.id)))?.['rev']).toBe(1);
});

test('a batch: a result for each, the bad ones with their field, a repeated id once', async () => {
  const [good, twice] = ['good', 'twice'].map((name) => waiting(name));
  const bad = waiting('bad', { retries: -1 });
  const reply = await api.call('POST', '/v1/tasks', { tasks: [good, bad, twice, twice, { sensor: null }] });
  expect(reply).toMatchObject({
    status: 201,
    body: {
      results: [
        { id: good!.id, status: 201, task: { state: 'sensing' } },
        { id: bad.id, status: 422, problem: { status: 422, field: 'retries' } },
        { id: twice!.id, status: 201 },
        { id: twice!.id, status: 201 },
        { status: 422, problem: { field: 'sensor' } },
      ],
    },
  });
  expect(await api.call('GET', `/v1/tasks/${bad.id}`)).toMatchObject({ status: 404 });
});

test('500 tasks in one call', async () => {
  const own = service.queue();
  const tasks = await api.submitAll(Array.from({ length: 500 }, () => ({ ...WAIT, queue: own })));
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(500);
  // Ids that the service makes are in the order of their time.
  expect(tasks.map(({ id }) => id).toSorted()).toEqual(tasks.map(({ id }) => id));
});
