import { describe, expect, test } from '@jest/globals';
import { SensoriumError } from '../../client/index.ts';
import { SENSOR } from '../api/service.ts';
import { aBench } from './setup.ts';

const SENSED = { type: 's3_key', bucket: 'landing', key: 'in/a.csv' } as const;

describe('what users do', () => {
  test('submit, read, explain, mark, clear, remove', async () => {
    const { client, service } = aBench();
    const task = await client.submit({
      id: 'a b'.replace(' ', ':'),
      sensor: SENSED,
      retries: 2,
      poke_interval: 'PT5M',
    });
    expect(task).toMatchObject({ id: 'a:b', state: 'sensing', poke_interval: 300, try_id: 'a:b~1' });
    expect(await client.get('a:b')).toEqual(task);
    expect(await client.explain('a:b')).toMatchObject({ id: 'a:b', target: { tasks: 1 } });
    expect(await client.mark('a:b', 'failed')).toMatchObject({ state: 'failed' });
    expect(await client.clear('a:b')).toMatchObject({ state: 'sensing', try_number: 2 });
    expect(await client.remove('a:b')).toMatchObject({ state: 'removed' });
    expect((await service.task('a:b')).history).toHaveLength(4);
  });

  test('list and listAll: pages, states', async () => {
    const { client, sent } = aBench();
    await client.submitMany(
      Array.from({ length: 7 }, (_, n) => ({ id: `t${n}`, queue: 'q (1)'.slice(0, 1), sensor: SENSED })),
    );
    await client.mark('t3', 'success');
    const page = await client.list({ queue: 'q', limit: 4 });
    expect(page.tasks).toHaveLength(4);
    const rest = await client.list({ queue: 'q', limit: 4, next: page.next ?? '' });
    expect([...page.tasks, ...rest.tasks].map(({ id }) => id).toSorted()).toEqual([
      't0',
      't1',
      't2',
      't3',
      't4',
      't5',
      't6',
    ]);
    const found: string[] = [];
    for await (const { id } of client.listAll({ queue: 'q', limit: 2, state: 'sensing' })) found.push(id);
    expect(found.toSorted()).toEqual(['t0', 't1', 't2', 't4', 't5', 't6']);
    expect(sent.at(-1)?.path).toContain('state=sensing');
  });

  test('queues and estimates', async () => {
    const { client } = aBench();
    expect(
      await client.setQueue('q', { worker_concurrency: 9, budgets: { s3: 2 }, cooldown_seconds: 'PT3M' }),
    ).toMatchObject({ name: 'q', worker_concurrency: 9, cooldown_seconds: 180 });
    expect(await client.queue('q')).toMatchObject({ budgets: { s3: 2 } });
    expect((await client.queues()).map(({ name }) => name)).toEqual(['q']);
    const estimate = await client.estimate({ task: { sensor: SENSED }, duplicates: 10, wait: 'PT1H' });
    expect(estimate).toMatchObject({ duplicates: 10, wait: 3600, auto: { mode: 'smart' } });
  });

  test('what workers do', async () => {
    const { client } = aBench();
    const worker = { hostname: 'h', unixname: 'u', pid: 1 };
    await client.submit({ id: 'x', sensor: { type: 'external', watches: SENSED }, retries: 1 });
    const run = await client.run('x', worker);
    expect(run).toMatchObject({ try_id: 'x~1', should_retry: true });
    await client.heartbeat(run.try_id, { hostname: 'h', pid: 1 });
    expect(await client.state(run.try_id, { state: 'failed', reason: 'exit 3' })).toBeUndefined();
    expect(await client.state(run.try_id, { state: 'failed' })).toMatchObject({ state: 'up_for_retry' });
    await expect(client.heartbeat(run.try_id, { hostname: 'h', pid: 1 })).rejects.toMatchObject({
      status: 409,
      reason: 'not_running',
    });
  });

  test.each([
    ['get', { status: 404, title: 'Not Found', detail: 'there is no task with this id', field: undefined }],
    ['queue', { status: 400, field: 'name' }],
  ] as const)('%s of what is not there', async (name, problem) => {
    const { client, sent } = aBench();
    const refused = client[name]('?/../x');
    await expect(refused).rejects.toBeInstanceOf(SensoriumError);
    await expect(refused).rejects.toMatchObject(problem);
    expect(sent).toHaveLength(1);
  });

  test('a refused field is named', async () => {
    const { client } = aBench();
    const refused = client.submit({ sensor: { ...SENSED, min_size: -1 } });
    await expect(refused).rejects.toMatchObject({
      message: '422 Unprocessable Content: sensor.min_size must be at least 0',
      field: 'sensor.min_size',
    });
    expect(SENSOR).toEqual(SENSED);
  });
});
