import { describe, expect, test } from '@jest/globals';
import { T0 } from '../support/tasks.ts';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import { aService, SENSOR } from './service.ts';
import type { Service } from './service.ts';

const post = (service: Service, body: unknown) => service.call('POST', '/v1/tasks', body);

/** The keys that were written so far, in order. */
const written = ({ changes }: Service): string[] => changes.map(({ key }) => key);

describe('a batch', () => {
  test('a result for each, the good ones submitted though others are bad', async () => {
    const service = aService({ opened: { ...ALL_OPEN, allow: ['arn:aws:s3:::landing/*'] } });
    await service.submit({ id: 'taken', retries: 1 });
    const reply = await post(service, {
      tasks: [
        { id: 'a', sensor: SENSOR },
        { id: 'bad', sensor: SENSOR, retries: -1 },
        { id: '#', sensor: SENSOR },
        { id: 'closed', sensor: { ...SENSOR, bucket: 'payroll' } },
        { id: 'taken', sensor: SENSOR },
        { id: 'a', sensor: SENSOR },
        { id: 'a', sensor: SENSOR, retries: 2 },
        { sensor: SENSOR },
        7,
      ],
    });
    expect(reply.status).toBe(201);
    expect(reply.body.results).toMatchObject([
      { id: 'a', status: 201, task: { id: 'a', state: 'sensing' } },
      { id: 'bad', status: 422, problem: { status: 422, field: 'retries' } },
      { status: 422, problem: { field: 'id' } },
      { id: 'closed', status: 403, problem: { field: 'sensor' } },
      { id: 'taken', status: 409, problem: { field: 'id' } },
      { id: 'a', status: 201 },
      { id: 'a', status: 409, problem: { field: 'id' } },
      { status: 201, task: { state: 'sensing' } },
      { status: 422, problem: { field: 'body' } },
    ]);
    expect(reply.body.results[2]).not.toHaveProperty('id');
  });

  test('N036: one id twice is one task, also where the second body is another', async () => {
    const service = aService();
    const one = { id: 'a', sensor: SENSOR };
    const reply = await post(service, { tasks: [one, one, { ...one, retries: 2 }] });
    expect(reply).toMatchObject({
      status: 201,
      body: { results: [{ status: 201 }, { status: 201 }, { status: 409 }] },
    });
    expect(reply.body.results[1]).toEqual(reply.body.results[0]);
    expect(written(service).filter((key) => key === 'TASK#a')).toHaveLength(1);
    expect(await service.task('a')).toMatchObject({ rev: 1, exec: { retries: 0 } });
  });

  test('of equal conditions the target is joined once, by the most eager; one asks for a poke and is put last', async () => {
    const service = aService();
    const exec = (n: number) => ({ poke_interval: 100 - n, timeout: 1000 + n });
    const tasks = Array.from({ length: 30 }, (_, n) => ({ id: `t${n}`, sensor: SENSOR, ...exec(n) }));
    const other = { id: 'o', sensor: { ...SENSOR, key: 'other' } };
    const external = { id: 'x', sensor: { type: 'external' } };
    expect(await post(service, { tasks: [...tasks, other, external] })).toMatchObject({ status: 201 });
    const keys = written(service);
    expect(keys.filter((key) => key.startsWith('TARGET#'))).toHaveLength(2);
    const target = await service.store.target(await service.task('t0'));
    expect(target).toMatchObject({ poke_interval: 71, next_deadline: T0 + 1_000_000 });
    const asks = await Promise.all(
      [...tasks, other, external].map(async ({ id }) => (await service.task(id)).first_poke),
    );
    expect(asks.filter(Boolean)).toHaveLength(2);
    expect(keys.slice(-2)).toEqual(['TASK#t0', 'TASK#o']);
  });

  test('500 tasks of 500 conditions', async () => {
    const service = aService();
    const tasks = Array.from({ length: 500 }, (_, n) => ({ id: `t${n}`, sensor: { ...SENSOR, key: `k${n}` } }));
    const reply = await post(service, { tasks });
    expect(reply.status).toBe(201);
    expect(reply.body.results.map(({ id, status }) => [id, status])).toEqual(tasks.map(({ id }) => [id, 201]));
    const count = service.changes.length;
    expect(await post(service, { tasks })).toEqual(reply);
    expect(service.changes).toHaveLength(count);
  });

  test('one task in a list is a batch', async () => {
    expect((await post(aService(), { tasks: [{ sensor: SENSOR }] })).body.results).toHaveLength(1);
  });

  test('write budget: 100 equal tasks are 100 puts, one join, one queue', async () => {
    const service = aService();
    const tasks = Array.from({ length: 100 }, (_, n) => ({ id: `t${n}`, sensor: SENSOR }));
    await post(service, { tasks });
    expect(service.changes).toHaveLength(102);
  });
});
