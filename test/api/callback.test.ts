import { describe, expect, test } from '@jest/globals';
import type { Table } from '../../functions/store/table.ts';
import { TableError } from '../../functions/store/table.ts';
import { aService, SENSOR } from './service.ts';
import type { Service } from './service.ts';

const post = (service: Service, body: unknown) => service.call('POST', '/v1/tasks', body);
const waitedFor = (task_token: string, more: object = {}) => ({
  id: 'a',
  sensor: SENSOR,
  callback: { task_token },
  ...more,
});
const tokensOf = async (service: Service, id = 'a') => (await service.task(id)).callback_tokens;

/** Calls this once before the first update of a task. */
function before(hook: () => Promise<void>) {
  let done = false;
  return (table: Table): Table => ({
    ...table,
    async update(update) {
      if (!done && update.key.startsWith('TASK#')) {
        done = true;
        await hook();
      }
      return table.update(update);
    },
  });
}

describe('a submit with a callback', () => {
  test('keeps the token and never shows it', async () => {
    const service = aService();
    const replies = [await post(service, waitedFor('bearer-token'))];
    expect(await tokensOf(service)).toEqual(['bearer-token']);
    replies.push(
      await post(service, waitedFor('bearer-token', { retries: 3 })),
      await post(service, { tasks: [waitedFor('bearer-token'), waitedFor('bearer-token', { id: 'b' }), { id: '#' }] }),
      await post(service, waitedFor('bearer-token', { id: 'c', poke_interval: 0 })),
      await post(service, waitedFor(`bearer-token${'x'.repeat(3000)}`)),
      await post(service, waitedFor('bearer-token\u0000')),
    );
    for (const path of ['', '/a', '/a/explain', '/a/ready'])
      replies.push(await service.call('GET', `/v1/tasks${path}`));
    replies.push(await service.call('POST', '/v1/tasks/a/mark', { state: 'failed' }));
    replies.push(await service.call('POST', '/v1/tasks/a/clear'), await service.call('DELETE', '/v1/tasks/a'));
    expect(replies.map(({ status }) => status)).toEqual([
      201, 409, 201, 422, 422, 422, 200, 200, 200, 404, 200, 200, 200,
    ]);
    expect(JSON.stringify([replies, service.logged])).not.toContain('bearer');
    expect(await tokensOf(service)).toEqual(['bearer-token']);
    expect((await service.task('a')).history.map((entry) => JSON.stringify(entry)).join()).not.toContain('bearer');
  });

  test('writes no more than one without', async () => {
    const service = aService();
    await post(service, waitedFor('t'));
    expect(service.changes.map(({ key }) => key.split('#')[0])).toEqual(['QUEUE', 'TARGET', 'TASK']);
    // What stands in the index for people is keys alone.
    expect(service.changes.filter((change) => JSON.stringify(change).includes('callback_tokens'))).toHaveLength(1);
  });

  test.each([
    ['no token', {}],
    ['an empty one', { task_token: '' }],
    ['one that is too long', { task_token: 'x'.repeat(2049) }],
    ['a number', { task_token: 5 }],
    ['something else besides', { task_token: 't', url: 'https://x' }],
    ['a text', 't'],
    ['null', null],
  ])('%s is refused, with the field', async (_, callback) => {
    const service = aService();
    const reply = await post(service, { sensor: SENSOR, callback });
    expect(reply).toMatchObject({ status: 422, body: { field: expect.stringMatching(/^callback/) } });
    expect(service.changes).toEqual([]);
  });
});

describe('a repeated submit', () => {
  test('with the same token, or with none, writes nothing', async () => {
    const service = aService();
    const first = await post(service, waitedFor('t'));
    const count = service.changes.length;
    expect(await post(service, waitedFor('t'))).toEqual(first);
    expect(await post(service, { id: 'a', sensor: SENSOR })).toEqual(first);
    expect(service.changes).toHaveLength(count);
    expect(await tokensOf(service)).toEqual(['t']);
  });

  test('with another token adds it: one write, no transition', async () => {
    const service = aService();
    await post(service, { id: 'a', sensor: SENSOR });
    const { rev, history, updated_at } = await service.task('a');
    const count = service.changes.length;
    for (const token of ['first', 'second']) expect((await post(service, waitedFor(token))).status).toBe(201);
    expect(service.changes).toHaveLength(count + 2);
    expect(await service.task('a')).toMatchObject({
      rev: rev + 2,
      history,
      updated_at,
      callback_tokens: ['first', 'second'],
    });
  });

  test('of a task that has ended puts the token there, and leaves the end as it is', async () => {
    const service = aService();
    await post(service, waitedFor('first'));
    await service.move('a', { type: 'met' });
    const ended = await service.task('a');
    expect((await post(service, waitedFor('second'))).body).toMatchObject({ state: 'success' });
    expect(await service.task('a')).toEqual({ ...ended, rev: ended.rev + 1, callback_tokens: ['first', 'second'] });
  });

  test('with another body is refused, and adds nothing', async () => {
    const service = aService();
    await post(service, waitedFor('first'));
    expect((await post(service, waitedFor('second', { retries: 1 }))).status).toBe(409);
    expect(await tokensOf(service)).toEqual(['first']);
  });

  test('in one batch: each token counts', async () => {
    const service = aService();
    const tasks = ['1', '2', '3'].map((token) => waitedFor(token));
    expect((await post(service, { tasks: [...tasks, waitedFor('4', { retries: 1 })] })).status).toBe(201);
    expect(await tokensOf(service)).toEqual(['1', '2', '3']);
  });

  test('again and again: the latest twenty are kept', async () => {
    const service = aService();
    for (let n = 1; n <= 25; n += 1) await post(service, waitedFor(`t${n}`));
    expect(await tokensOf(service)).toEqual(Array.from({ length: 20 }, (_, index) => `t${index + 6}`));
  });

  test('while the task ends: the token is put to the end', async () => {
    let end = async (): Promise<void> => undefined;
    const service = aService({ wrap: before(() => end()) });
    await post(service, waitedFor('first'));
    end = () => service.move('a', { type: 'met' });
    expect((await post(service, waitedFor('second'))).body).toMatchObject({ state: 'success' });
    expect(await tokensOf(service)).toEqual(['first', 'second']);
  });

  test('that the table does not take is to be repeated', async () => {
    const service = aService({ wrap: before(() => Promise.reject(new TableError('busy', { throttled: true }))) });
    await post(service, waitedFor('first'));
    expect((await post(service, waitedFor('second'))).status).toBe(503);
    expect((await post(service, waitedFor('second'))).status).toBe(201);
    expect(await tokensOf(service)).toEqual(['first', 'second']);
  });
});
