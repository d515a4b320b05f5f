// The scenario "failed is retried while tries are left, fail_without_retry never, and the server decides", by hand.
import { expect, test } from '@jest/globals';
import { aService } from '../api/service.ts';

const TI = '/execution/task-instances';
const worker = (hostname: string, pid: number) => ({ state: 'running', hostname, unixname: 'u', pid });

test('failed is retried while tries are left, fail_without_retry never, and the server decides', async () => {
  const service = aService();
  const { at, call, submit, task } = service;
  const ask = (id: string, state: string) => call('PATCH', `${TI}/${id}/state`, { state });
  const beat = (id: string) => call('PUT', `${TI}/${id}/heartbeat`, { hostname: 'h', pid: 1 });

  at(0);
  await submit({ id: 'a', sensor: { type: 'external' }, retries: 1, retry_delay: 300, timeout: 86400 });
  at(1);
  expect(await call('PATCH', `${TI}/a/run`, worker('h', 1))).toMatchObject({ status: 200, body: { max_tries: 1 } });
  at(2);
  expect(await call('PATCH', `${TI}/a/run`, worker('other', 9))).toMatchObject({
    status: 409,
    body: { reason: 'invalid_state', previous_state: 'running' },
  });
  at(3);
  expect(await ask('a~1', 'failed')).toMatchObject({ status: 204 });
  at(4);
  expect(await task('a')).toMatchObject({ state: 'up_for_retry', try_number: 1 });
  at(5);
  expect(await beat('a~1')).toMatchObject({ status: 409, body: { reason: 'not_running' } });
  expect(await ask('a~1', 'failed')).toMatchObject({ status: 200 });

  at(10);
  await submit({ id: 'b', sensor: { type: 'external' }, retries: 3, timeout: 86400 });
  at(11);
  expect(await call('PATCH', `${TI}/b/run`, worker('h', 3))).toMatchObject({ status: 200 });
  at(12);
  expect(await ask('b', 'fail_without_retry')).toMatchObject({ status: 204 });

  // The tick after 3 + 300 s resumes it.
  const { wake_at } = await task('a');
  at(360);
  expect((await service.store.awake('default', (await task('a')).shardcode, wake_at!)).tasks).toHaveLength(1);
  await service.move('a', { type: 'retry_due' });
  at(480);
  expect(await task('a')).toMatchObject({ state: 'queued', try_number: 2 });
  at(481);
  expect(await beat('a~1')).toMatchObject({ status: 410 });
  at(482);
  expect(await call('PATCH', `${TI}/a/run`, worker('h', 2))).toMatchObject({ status: 200 });
  at(483);
  expect(await ask('a', 'up_for_retry')).toMatchObject({ status: 204 });
  at(484);
  expect(await task('a')).toMatchObject({ state: 'failed', try_number: 2 });
  at(485);
  expect(await ask('a', 'failed')).toMatchObject({ status: 200 });
  at(486);
  expect(await ask('a', 'success')).toMatchObject({
    status: 409,
    body: { reason: 'invalid_state', previous_state: 'failed' },
  });

  expect(await task('b')).toMatchObject({ state: 'failed', try_number: 1 });
  const alerts = (await task('a')).history.filter(({ to }) => to === 'failed' || to === 'up_for_retry');
  expect(alerts.map(({ to }) => to)).toEqual(['up_for_retry', 'failed']);
});
