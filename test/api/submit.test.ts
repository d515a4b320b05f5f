import { describe, expect, test } from '@jest/globals';
import { targetKey } from '../../functions/core/identity.ts';
import { submittedTask } from '../../functions/api/schemas/task.ts';
import { EXEC, T0 } from '../support/tasks.ts';
import { aService, SENSOR } from './service.ts';
import type { Service } from './service.ts';

const post = (service: Service, body: unknown) => service.call('POST', '/v1/tasks', body);

/** The keys that were written so far, in order. */
const written = ({ changes }: Service): string[] => changes.map(({ key }) => key);

describe('one task', () => {
  test('the defaults', async () => {
    const service = aService();
    const reply = await post(service, { sensor: { type: 's3_key', key: 's3://landing/in/a.csv' } });
    expect(reply).toMatchObject({
      status: 201,
      headers: { ETag: '"1"', Location: '/v1/tasks/id-1', 'Content-Type': 'application/json' },
    });
    const task = await service.task('id-1');
    expect(task.exec).toEqual({ ...EXEC, timeout: 604_800 });
    expect(task).toMatchObject({
      queue: 'default',
      mode: 'smart',
      state: 'sensing',
      try_number: 1,
      max_tries: 0,
      deadline: T0 + 604_800_000,
      coordinates: {},
      sensor: { type: 's3_key', bucket: 'landing', key: ['in/a.csv'], wildcard_match: false },
    });
    expect(task.history).toEqual([
      { at: T0, from: 'none', to: 'sensing', try_number: 1, why: 'submit', by: 'user:arn:aws:iam::1:user/ann' },
    ]);
  });

  test('is shown as it was submitted, instants as ISO 8601, nothing of the inside', async () => {
    const service = aService();
    const body = {
      id: 'etl.load:2024-01-01@eu+1=a_b-c',
      queue: 'etl',
      sensor: { type: 'external' },
      poke_interval: 'PT5M',
      exponential_backoff: true,
      max_wait: 'PT1H',
      timeout: 'P1D',
      execution_timeout: 7200,
      retry_on_timeout: true,
      retries: 3,
      retry_delay: 'PT10M',
      retry_exponential_backoff: true,
      max_retry_delay: 3600,
      never_fail: true,
      silent_fail: true,
      heartbeat_timeout: 60,
      dag_id: 'd',
      task_id: 't',
      run_id: 'r',
      map_index: -1,
      logical_date: '2024-01-01T02:00:00.250+02:00',
      tags: { team: 'é' },
    };
    const reply = await post(service, body);
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      ...body,
      state: 'queued',
      mode: 'smart',
      poke_interval: 300,
      max_wait: 3600,
      timeout: 86_400,
      retry_delay: 600,
      retry_exponential_backoff: 2,
      soft_fail: false,
      cancel_on_kill: false,
      logical_date: '2024-01-01T00:00:00.250000+00:00',
      try_id: `${body.id}~1`,
      try_number: 1,
      max_tries: 3,
      hashcode: expect.any(String),
      shardcode: expect.any(Number),
      created_at: '2024-01-01T00:00:00.000Z',
      updated_at: '2024-01-01T00:00:00.000Z',
      started_at: '2024-01-01T00:00:00.000Z',
      deadline: '2024-01-01T02:00:00.000Z',
      history: [expect.objectContaining({ at: '2024-01-01T00:00:00.000Z', from: 'none', to: 'queued' })],
    });
    expect(reply.headers['Location']).toBe('/v1/tasks/etl.load:2024-01-01@eu+1=a_b-c');
    expect((await service.task(body.id)).coordinates.logical_date).toBe('2024-01-01 00:00:00.250000+00:00');

    // What is shown of the submit can be submitted again: it is the same task.
    const again = Object.fromEntries(
      Object.entries(reply.body).filter(([name]) => name in submittedTask._zod.def.shape),
    );
    expect(Object.keys(again)).toHaveLength(Object.keys(body).length + 3);
    expect(await post(service, again)).toEqual(reply);
  });

  test('the target is joined before the task is put; the queue is woken before both', async () => {
    const service = aService();
    const { hashcode } = await service.submit({ id: 'a', queue: 'etl' });
    const target = targetKey({ queue: 'etl', mode: 'smart', hashcode });
    expect(written(service)).toEqual(['QUEUE#etl', `TARGET#${target}`, 'TASK#a']);
    expect(await service.task('a')).toMatchObject({ first_poke: true });
    // The second joins without a first poke of its own: at most one in 30 s.
    service.at(10);
    await service.submit({ id: 'b', queue: 'etl' });
    expect(await service.task('b')).not.toHaveProperty('first_poke');
    service.at(31);
    await service.submit({ id: 'c', queue: 'etl' });
    expect(await service.task('c')).toHaveProperty('first_poke', true);
  });

  test('an external task has no target', async () => {
    const service = aService();
    await service.submit({ id: 'a', sensor: { type: 'external' } });
    await service.submit({ id: 'b', sensor: { type: 'external' } });
    expect(written(service)).toEqual(['QUEUE#default', 'TASK#a', 'TASK#b']);
    expect((await service.task('a')).hashcode).not.toBe((await service.task('b')).hashcode);
  });

  test('case 28: the order of keys, and 1 or 1.0, make no other condition and no other submit', async () => {
    const service = aService();
    const text = '{"id":"a","retries":1,"sensor":{"type":"s3_key","min_size":1,"bucket":"b","key":["x","y"]}}';
    const same = '{"sensor":{"key":["y","x","x"],"bucket":"b","min_size":1.0,"type":"s3_key"},"retries":1.0,"id":"a"}';
    const first = await service.call('POST', '/v1/tasks', undefined, { text });
    const again = await service.call('POST', '/v1/tasks', undefined, { text: same });
    expect(first.status).toBe(201);
    expect(again).toEqual(first);
  });

  test.each([
    ['userArn', 'arn:aws:iam::1:user/ann', 'user:arn:aws:iam::1:user/ann'],
    ['nobody', null, 'user:unknown'],
  ])('history names who submits: %s', async (_, userArn, by) => {
    const service = aService();
    await service.call('POST', '/v1/tasks', { id: 'a', sensor: SENSOR }, { userArn });
    expect((await service.task('a')).history[0]).toMatchObject({ by });
  });
});

describe('repeating', () => {
  test('the same body gives the same task and writes nothing; another body is 409 and writes nothing', async () => {
    const service = aService();
    const first = await post(service, { id: 'a', sensor: SENSOR });
    const count = service.changes.length;
    service.at(500);
    // Defaults that are said, and durations in another form, are the same body.
    expect(await post(service, { id: 'a', sensor: SENSOR, retries: 0, poke_interval: 'PT1M' })).toEqual(first);
    for (const other of [{ retries: 1 }, { queue: 'q' }, { tags: {} }, { sensor: { ...SENSOR, key: 'k' } }]) {
      const reply = await post(service, { id: 'a', sensor: SENSOR, ...other });
      expect(reply).toMatchObject({ status: 409, body: { field: 'id', title: 'Conflict' } });
    }
    expect(service.changes).toHaveLength(count);
  });

  test('also of a task that has moved on', async () => {
    const service = aService();
    await service.submit({ id: 'a' });
    await service.call('POST', '/v1/tasks/a/mark', { state: 'success' });
    expect(await post(service, { id: 'a', sensor: SENSOR })).toMatchObject({
      status: 201,
      body: { state: 'success' },
      headers: { ETag: '"2"' },
    });
  });

  test('100 at once with one id make one task, and with two bodies one of the two', async () => {
    const service = aService();
    const same = await Promise.all(Array.from({ length: 100 }, () => post(service, { id: 'a', sensor: SENSOR })));
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(same.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(written(service).filter((key) => key === 'TASK#a')).toHaveLength(1);

    const two = await Promise.all(
      Array.from({ length: 100 }, (_, n) => post(service, { id: 'b', sensor: SENSOR, retries: n % 2 })),
    );
    const { exec } = await service.task('b');
    expect(two.map(({ status }) => status)).toEqual(two.map((_, n) => (n % 2 === exec.retries ? 201 : 409)));
  });
});

describe('the first poke of a target', () => {
  test('is asked for by whoever stands, when the task that claimed it was not put', async () => {
    const claimed: string[] = [];
    // Between the look for standing ids and the put another submit of the same id comes first.
    const service = aService({
      wrap: (table) => ({
        ...table,
        async insertMany(items) {
          const rival = items.find(({ pk, first_poke }) => pk === 'TASK#a' && first_poke === true);
          if (rival !== undefined && claimed.length === 0) {
            claimed.push('a');
            const { first_poke: _, ...plain } = rival;
            await table.insertMany([{ ...plain, op_id: 'rival' }]);
          }
          return table.insertMany(items);
        },
      }),
    });
    await service.submit({ id: 'a', sensor: SENSOR });
    expect(claimed).toEqual(['a']);
    expect(await service.task('a')).toMatchObject({ first_poke: true, rev: 2 });
  });
});
