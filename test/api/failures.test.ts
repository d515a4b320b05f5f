import { describe, expect, test } from '@jest/globals';
import type { Table } from '../../functions/store/table.ts';
import { TableError } from '../../functions/store/table.ts';
import { aService, SENSOR } from './service.ts';
import type { Service } from './service.ts';

const post = (service: Service, body: unknown) => service.call('POST', '/v1/tasks', body);

/** What fails: all reads, writes and inserts by their key. */
interface Fails {
  get: boolean;
  update: (key: string) => boolean;
  insert: (key: string) => boolean;
}

describe('a table that does not answer', () => {
  /** Fails what a test says, until it says otherwise. */
  function faulty() {
    const fails: Fails = { get: false, update: () => false, insert: () => false };
    const broken = () => Promise.reject(new TableError('throttled', { throttled: true }));
    const wrap = (table: Table): Table => ({
      ...table,
      get: (key) => (fails.get ? broken() : table.get(key)),
      update: (update) => (fails.update(update.key) ? broken() : table.update(update)),
      insertMany: async (items) => {
        const answers = await table.insertMany(items.filter(({ pk }) => !fails.insert(pk)));
        const left = [...answers];
        return items.map(({ pk }) => (fails.insert(pk) ? new TableError('throttled') : left.shift()!));
      },
    });
    return { fails, service: aService({ wrap }) };
  }

  test('one task: 503 with Retry-After at every point, and repeating is safe', async () => {
    const { fails, service } = faulty();
    const body = { id: 'a', sensor: SENSOR };
    const expectBusy = async () => {
      const reply = await post(service, body);
      expect(reply).toMatchObject({ status: 503, headers: { 'Retry-After': '1' }, body: { status: 503 } });
    };
    fails.get = true;
    await expectBusy();
    fails.get = false;
    fails.update = (key) => key.startsWith('QUEUE#');
    await expectBusy();
    fails.update = (key) => key.startsWith('TARGET#');
    await expectBusy();
    expect(await service.store.task('a')).toBeUndefined();
    fails.update = () => false;
    fails.insert = () => true;
    await expectBusy();
    fails.insert = () => false;
    expect(await post(service, body)).toMatchObject({ status: 201, body: { id: 'a' } });
  });

  test('a batch: those that failed say so, with the id to repeat', async () => {
    const { fails, service } = faulty();
    const tasks = [
      { id: 'a', sensor: SENSOR },
      { sensor: { ...SENSOR, key: 'k' } },
      { id: 'x', sensor: { type: 'external' } },
    ];
    fails.update = (key) => key.startsWith('TARGET#');
    const reply = await post(service, { tasks });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        results: [
          { id: 'a', status: 503 },
          { id: expect.any(String), status: 503 },
          { id: 'x', status: 201 },
        ],
      },
    });
    fails.insert = () => true;
    const none = await post(service, { tasks: tasks.slice(0, 2) });
    expect(none).toMatchObject({ status: 503, headers: { 'Retry-After': '1' }, body: { results: [{}, {}] } });
    fails.update = fails.insert = () => false;
    expect(await post(service, { tasks })).toMatchObject({
      body: { results: [{ status: 201 }, { status: 201 }, { status: 201 }] },
    });
  });

  test('a record that cannot be read holds its id: 409 for the submit, 500 without the inside for a read', async () => {
    const service = aService();
    await service.submit({ id: 'a' });
    await service.table.update({ key: 'TASK#a', change: { set: { state: 'lost' } } });
    expect(await post(service, { id: 'a', sensor: SENSOR })).toMatchObject({ status: 409, body: { field: 'id' } });
    const read = await service.call('GET', '/v1/tasks/a');
    expect(read).toMatchObject({ status: 500, body: { title: 'Internal Server Error' } });
    expect(JSON.stringify(read.body)).not.toContain('TASK#');
    expect(service.logged).toMatchObject([
      { message: 'unreadable record', key: 'TASK#a', route: 'GET /v1/tasks/{id}' },
    ]);
  });

  test('a defect is 500 without a word of the inside, and one line in the log', async () => {
    const secret = 'at Object.<anonymous> (/var/task/index.js)';
    const service = aService({ wrap: (table) => ({ ...table, get: () => Promise.reject(new Error(secret)) }) });
    const reply = await service.call('GET', '/v1/tasks/a');
    expect(reply).toMatchObject({ status: 500, body: { status: 500, detail: 'the service failed at this request' } });
    expect(service.logged).toHaveLength(1);
    expect(JSON.stringify(service.logged)).toContain(secret);
  });
});
