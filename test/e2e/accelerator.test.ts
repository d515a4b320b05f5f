import { PutBucketNotificationConfigurationCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openLandingZone } from '../../local/demo/landing-zone.ts';
import type { LandingZone } from '../../local/demo/landing-zone.ts';
import type { Task } from './api.ts';
import { happen } from './default-bus.ts';
import { startCluster } from './emr.ts';
import type { Cluster } from './emr.ts';
import { connect } from './service.ts';
import { until } from './until.ts';

const service = connect();
const { api, clients } = service;
const bucket = service.unique('landing');
let zone: LandingZone;

beforeAll(async () => {
  zone = await openLandingZone(clients.s3, bucket);
  const NotificationConfiguration = { EventBridgeConfiguration: {} };
  await clients.s3.send(new PutBucketNotificationConfigurationCommand({ Bucket: bucket, NotificationConfiguration }));
});

afterAll(async () => {
  await zone.remove();
  await service.leave();
});

/** The next poke is minutes away: what ends in seconds was ended by an event. */
const SLOW = { poke_interval: 600, timeout: 86_400 };

const s3 = (key: string | string[]) => ({ type: 's3_key', bucket, key });

/** Far from the next poke, however busy the machine, ms. */
const SOON_MS = 15_000;

/** Submitted, and its first poke made, which found nothing. */
async function waiting(task: object): Promise<Task> {
  const queue = service.queue();
  const submitted = await api.submit({ ...SLOW, ...task, queue });
  await until(
    () => service.calls(queue),
    (calls) => calls > 0,
  );
  return submitted;
}

/** @returns how long after it happened the task has succeeded, ms. */
async function delay({ id }: Task, happenedAt: number): Promise<number> {
  const task = await until(
    () => api.task(id),
    ({ state }) => state !== 'sensing' && state !== 'deferred',
    { limitMs: 30_000 },
  );
  expect(task).toMatchObject({ state: 'success', try_number: 1, history: [{ why: 'submit' }, { why: 'met' }] });
  const endedAt = Date.parse(task.ended_at ?? '');
  expect(endedAt).toBeGreaterThanOrEqual(happenedAt);
  return endedAt - happenedAt;
}

describe('an event of S3', () => {
  test.each(['smart', 'deferrable'])(
    'ends a wait within seconds, ten minutes before its next poke: %s',
    async (mode) => {
      const key = service.unique(mode);
      const task = await waiting({ mode, sensor: s3(key) });
      expect(await delay(task, await zone.land(key))).toBeLessThan(SOON_MS);
    },
  );

  test('ends a wait for more than one key, with the last of them', async () => {
    const [first, last] = [service.unique('a'), service.unique('b')];
    const task = await waiting({ sensor: s3([first, last]) });
    await zone.land(first);
    expect(await delay(task, await zone.land(last))).toBeLessThan(SOON_MS);
  });

  test('of an object that is too small ends nothing: the poke decides', async () => {
    const key = service.unique('small');
    const task = await waiting({ sensor: { ...s3(key), min_size: 1_000 } });
    const calls = await service.calls(task.queue);
    await zone.land(key);
    await until(
      () => service.calls(task.queue),
      (sum) => sum > calls,
    );
    expect(await api.task(task.id)).toMatchObject({ state: 'sensing', try_number: 1 });
    const landedAt = Date.now();
    await clients.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'x'.repeat(1_000) }));
    expect(await delay(task, landedAt)).toBeLessThan(SOON_MS);
  });
});

describe('an event of EMR', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster(service);
  });

  const stepIs = (stepId: string, state: string) =>
    happen(service, {
      source: 'aws.emr',
      'detail-type': 'EMR Step Status Change',
      detail: { severity: 'INFO', actionOnFailure: 'CONTINUE', stepId, name: 'step', clusterId: cluster.id, state },
    });

  test.each(['smart', 'deferrable'])(
    'ends a wait for a step within seconds, ten minutes before its next poke: %s',
    async (mode) => {
      const step_id = await cluster.addStep();
      const task = await waiting({ mode, sensor: { type: 'emr_step', job_flow_id: cluster.id, step_id } });
      // Most of them end nothing, and nobody is asked.
      expect(await stepIs(step_id, 'RUNNING')).toBe(0);
      const endedAt = Date.now();
      await cluster.script({ steps: [{ cluster_id: cluster.id, step_id, state: 'COMPLETED' }] });
      expect(await stepIs(step_id, 'COMPLETED')).toBe(1);
      expect(await delay(task, endedAt)).toBeLessThan(SOON_MS);
    },
  );

  test('ends a wait for a cluster, too', async () => {
    const task = await waiting({ sensor: { type: 'emr_job_flow', job_flow_id: cluster.id } });
    const endedAt = Date.now();
    await cluster.script({ clusters: [{ cluster_id: cluster.id, state: 'TERMINATED' }] });
    const detail = { severity: 'INFO', name: 'cluster', clusterId: cluster.id, state: 'TERMINATED' };
    expect(await happen(service, { source: 'aws.emr', 'detail-type': 'EMR Cluster State Change', detail })).toBe(1);
    expect(await delay(task, endedAt)).toBeLessThan(SOON_MS);
  });
});
