import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { createClient, SensoriumError, WaitTimeoutError } from '../../client/index.ts';
import type { Task } from '../../client/index.ts';
import { IDENTITY } from '../../local/identity.ts';
import { OPENAPI_FILE } from '../../scripts/openapi.ts';
import { ODD } from './api.ts';
import { connect } from './service.ts';

const service = connect();
const queue = service.queue();
const client = createClient({ ...IDENTITY, url: service.apiUrl });

afterAll(() => service.leave());

test('submit, wait, list, explain: signed, whatever characters an id has', async () => {
  const id = `${service.unique('client')}${ODD}`;
  const at = new Date(Date.now() - 1_000).toISOString();
  const submitted = await client.submit({
    id,
    queue,
    sensor: { type: 'datetime', at },
    dag_id: 'd (1)',
    timeout: 'PT10M',
  });
  expect(submitted).toMatchObject({ id, timeout: 600, dag_id: 'd (1)' });
  const ended = await client.wait(id, { timeoutSeconds: 60, pollSeconds: 0.5 });
  expect(ended).toMatchObject({ id, state: 'success' });
  expect(await client.get(id)).toEqual(ended);
  expect(await client.explain(id)).toMatchObject({ id, state: 'success' });
  const listed: Task[] = [];
  for await (const task of client.listAll({ queue, state: 'success' })) listed.push(task);
  expect(listed.map((task) => task.id)).toContain(id);
});

test('submitMany, a wait that is over, remove, queues', async () => {
  const sensor = { type: 'datetime', at: '2100-01-01T00:00:00Z' } as const;
  const [first, bad] = await client.submitMany([
    { queue, sensor },
    { queue, sensor, retries: -1 },
  ]);
  expect(bad).toMatchObject({ ok: false, error: { status: 422, field: 'retries' } });
  if (first?.ok !== true) throw new Error('the first was not taken', { cause: first });
  await expect(client.wait(first.id, { timeoutSeconds: 1 })).rejects.toBeInstanceOf(WaitTimeoutError);
  expect(await client.remove(first.id)).toMatchObject({ state: 'removed' });
  expect(await client.setQueue(queue, { max_workers: 3 })).toMatchObject({ name: queue, max_workers: 3 });
  expect((await client.queues()).map(({ name }) => name)).toContain(queue);
  await expect(client.queue(`${queue}-none`)).rejects.toBeInstanceOf(SensoriumError);
});

test('the tasks of a run, in several states, whatever characters a run has', async () => {
  const run_id = "manual__2024-01-01T00:00:00+00:00 (it's *1* & more)";
  const sensor = { type: 'datetime', at: '2100-01-01T00:00:00Z' } as const;
  const own = service.queue();
  const [task] = await Promise.all([
    client.submit({ queue: own, sensor, run_id }),
    client.submit({ queue: own, sensor, run_id: 'another' }),
  ]);
  const listed: string[] = [];
  for await (const { id } of client.listAll({ queue: own, run_id, state: ['failed', 'sensing'] })) listed.push(id);
  expect(listed).toEqual([task.id]);
});

test('the OpenAPI document is served, to whoever signs', async () => {
  const reply = await service.api.call('GET', '/openapi.json');
  expect(reply).toMatchObject({ status: 200, body: { openapi: '3.1.1', info: { title: 'Sensorium' } } });
  expect(reply.body).toEqual(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')));
  expect(await service.api.call('GET', '/openapi.json', undefined, { signed: false })).toMatchObject({ status: 403 });
});

test('an outside worker: run, heartbeat, state', async () => {
  const id = `${service.unique('work')}${ODD}`;
  await client.submit({ id, queue, sensor: { type: 'external' }, retries: 1 });
  const run = await client.run(id, { hostname: 'h', unixname: 'u', pid: 1 });
  await client.heartbeat(run.try_id, { hostname: 'h', pid: 1 });
  expect(await client.state(run.try_id, { state: 'success' })).toBeUndefined();
  expect(await client.state(run.try_id, { state: 'success' })).toMatchObject({ try_id: `${id}~1`, state: 'success' });
  expect(await client.wait(id, { timeoutSeconds: 10 })).toMatchObject({ state: 'success' });
});
