import { afterAll, describe, expect, test } from '@jest/globals';
import { openLandingZone } from '../../local/demo/landing-zone.ts';
import { startCluster } from './emr.ts';
import { connect } from './service.ts';
import { until } from './until.ts';

const service = connect();
const { api } = service;
const queue = service.queue();
const bucket = service.unique('runs');
const zone = await openLandingZone(service.clients.s3, bucket);

afterAll(async () => {
  await zone.remove();
  await service.leave();
});

const s3 = (key: string) => ({ type: 's3_key', bucket, key });

describe('tasks that poke for themselves', () => {
  test('mode poke: a run begins at once, stays, and sees the key within seconds, without a tick', async () => {
    const id = service.unique('poke');
    expect(await api.submit({ id, queue, mode: 'poke', poke_interval: 1, sensor: s3(id) })).toMatchObject({
      state: 'queued',
      mode: 'poke',
    });
    await until(
      () => api.task(id),
      ({ state }) => state === 'running',
      { limitMs: 20_000 },
    );
    await zone.land(id);
    const ended = await until(
      () => api.task(id),
      ({ state }) => state !== 'running',
      { limitMs: 20_000 },
    );
    expect(ended).toMatchObject({
      state: 'success',
      try_number: 1,
      history: [{ why: 'submit' }, { why: 'start' }, { why: 'met' }],
    });
  });

  test('mode reschedule: between two pokes nobody holds it, and a tick brings the next', async () => {
    const id = service.unique('reschedule');
    await api.submit({ id, queue, mode: 'reschedule', poke_interval: 1, sensor: s3(id) });
    const put = await until(
      () => api.task(id),
      ({ state }) => state === 'up_for_reschedule',
      { limitMs: 20_000 },
    );
    expect(put).toMatchObject({ try_number: 1, history: [{}, { why: 'start' }, { why: 'reschedule' }] });
    await zone.land(id);
    const ended = await service.tickUntil(
      () => api.task(id),
      ({ state }) => state === 'success',
    );
    expect(ended).toMatchObject({ try_number: 1, deadline: put.deadline });
  });
});

test('a step is cancelled once when its task is removed, and only where that was submitted', async () => {
  const cluster = await startCluster(service);
  const [killed, kept] = [await cluster.addStep(), await cluster.addStep()];
  const before = await cluster.calls('CancelSteps');
  const step = (step_id: string) => ({ type: 'emr_step', job_flow_id: cluster.id, step_id });
  const [first, second] = await api.submitAll([
    { queue, sensor: step(killed), cancel_on_kill: true },
    { queue, sensor: step(kept) },
  ]);
  for (const { id } of [first!, second!]) {
    expect(await api.call('DELETE', `/v1/tasks/${id}`)).toMatchObject({ status: 200, body: { state: 'removed' } });
  }
  await service.tickUntil(
    async () => (await api.call('GET', `/v1/tasks/${first!.id}`)).body,
    (body) => JSON.stringify(body).includes('"cancel":{"state":"done"}'),
  );
  expect(await cluster.calls('CancelSteps')).toBe(before + 1);
  expect((await api.call('GET', `/v1/tasks/${second!.id}`)).body).not.toHaveProperty('cancel');
});
