import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { subscribe } from '../../local/demo/alerts.ts';
import type { Alerts } from '../../local/demo/alerts.ts';
import { openLandingZone } from '../../local/demo/landing-zone.ts';
import type { LandingZone } from '../../local/demo/landing-zone.ts';
import { connect } from './service.ts';
import { until } from './until.ts';

const service = connect();
const { api, clients } = service;
const queue = service.queue();
const bucket = service.unique('landing');
let alerts: Alerts;
let zone: LandingZone;

beforeAll(async () => {
  alerts = await subscribe(clients, service.busName, queue);
  zone = await openLandingZone(clients.s3, bucket);
});

afterAll(async () => {
  await zone.remove();
  await alerts.remove();
  await service.leave();
});

const OWNER = { hostname: 'h', unixname: 'u', pid: 1 };

test('the bus is told of each end and each retry, with one id for one fact', async () => {
  const execution = (id: string, what: string, body: object) =>
    api.call('PATCH', `/execution/task-instances/${id}/${what}`, body);
  const external = await api.submit({ queue, sensor: { type: 'external' }, retries: 1, retry_delay: 0 });
  const key = service.unique('key');
  await zone.land(key);
  const sensor = { type: 's3_key', bucket, key };
  const equal = await api.submitAll(Array.from({ length: 20 }, () => ({ queue, sensor })));
  const removed = await api.submit({ queue, sensor: { type: 'datetime', at: '2100-01-01T00:00:00Z' } });

  // Facts: each once, however often somebody says so.
  await execution(external.id, 'run', OWNER);
  for (let n = 0; n < 3; n += 1) await execution(`${external.id}~1`, 'state', { state: 'failed', reason: 'exit 3' });
  const again = await service.tickUntil(
    () => api.task(external.id),
    ({ state }) => state === 'queued',
  );
  expect(again.try_number).toBe(2);
  await execution(external.id, 'run', OWNER);
  for (let n = 0; n < 3; n += 1) await execution(external.id, 'state', { state: 'success' });
  await api.call('POST', `/v1/tasks/${external.id}/mark`, { state: 'success' });
  await until(
    () => api.tasks(queue),
    (tasks) => tasks.filter(({ state }) => state === 'success').length === 21,
  );
  for (let n = 0; n < 3; n += 1) await api.call('DELETE', `/v1/tasks/${removed.id}`);

  const facts = [
    `${external.id}~1#up_for_retry`,
    `${external.id}~2#success`,
    ...equal.map(({ id }) => `${id}~1#success`),
    // The last thing that happens: when it is told, so is all before it.
    `${removed.id}~1#removed`,
  ];
  const told = () => Promise.resolve([...alerts.deliveries.keys()]);
  await until(told, (ids) => facts.every((fact) => ids.includes(fact)));
  expect((await told()).toSorted()).toEqual(facts.toSorted());
  expect(alerts.received.find(({ state }) => state === 'up_for_retry')).toMatchObject({ task_id: external.id });
});
