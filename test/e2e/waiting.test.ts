import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openLandingZone } from '../../local/demo/landing-zone.ts';
import type { LandingZone } from '../../local/demo/landing-zone.ts';
import type { Task } from './api.ts';
import { connect } from './service.ts';
import { until } from './until.ts';

const service = connect();
const { api } = service;
const bucket = service.unique('landing');
let zone: LandingZone;
let queue: string;

beforeAll(async () => {
  zone = await openLandingZone(service.clients.s3, bucket);
});

beforeEach(() => {
  queue = service.queue();
});

// Else the ticks of the tests to come would look after it, too.
afterEach(() => service.table.sleep(queue));

afterAll(async () => {
  await zone.remove();
  await service.leave();
});

const haveEnded = (tasks: readonly Task[]) => tasks.every(({ state }) => state !== 'sensing');

/** Where a test waits for a second poke: if the schedule's own tick made it too early, the next is not far. */
const POKED = { poke_interval: 10 };

const s3 = (key: string) => ({ type: 's3_key', bucket, key });

describe('waiting for S3 keys', () => {
  test('a key that is there already: success in seconds, without a tick', async () => {
    const id = service.unique('there');
    await zone.land(id);
    const submitted = await api.submit({ id, queue, sensor: s3(id) });
    expect(submitted).toMatchObject({ id, state: 'sensing', try_number: 1, try_id: `${id}~1`, mode: 'smart' });

    const ended = await until(
      () => api.task(id),
      ({ state }) => state !== 'sensing',
      { limitMs: 10_000 },
    );
    expect(ended).toMatchObject({ state: 'success', history: [{ why: 'submit' }, { why: 'met', by: 'service' }] });
    expect(Date.parse(ended.ended_at ?? '') - Date.parse(ended.created_at)).toBeLessThan(5_000);
  });

  test('deferrable: a key that lands later is seen by its own interval, without a tick and without an event', async () => {
    const id = service.unique('deferrable');
    const submitted = await api.submit({ id, queue, mode: 'deferrable', poke_interval: 2, sensor: s3(id) });
    expect(submitted).toMatchObject({ state: 'deferred', mode: 'deferrable' });
    // The first poke: one look for the key, and one whether there is such a bucket.
    await until(
      () => service.calls(queue),
      (calls) => calls >= 2,
    );
    const landedAt = await zone.land(id);
    const ended = await until(
      () => api.task(id),
      ({ state }) => state !== 'deferred',
      { limitMs: 30_000 },
    );
    expect(ended).toMatchObject({ state: 'success', try_number: 1, history: [{ why: 'submit' }, { why: 'met' }] });
    expect(Date.parse(ended.ended_at ?? '')).toBeGreaterThanOrEqual(landedAt);
  });

  test('30 equal tasks: one call finds the key for all of them, and all end at the same instant', async () => {
    const key = service.unique('late');
    const tasks = await api.submitAll(Array.from({ length: 30 }, () => ({ ...POKED, queue, sensor: s3(key) })));
    const { id, shardcode, hashcode } = tasks[0]!;
    expect(new Set(tasks.map((task) => task.hashcode))).toEqual(new Set([hashcode]));
    // The first poke: one look for the key, and one whether there is such a bucket.
    const first = await until(
      () => service.calls(queue),
      (calls) => calls >= 2,
    );
    expect(await api.call('GET', `/v1/tasks/${id}/explain`)).toMatchObject({
      status: 200,
      body: { state: 'sensing', target: { hashcode, shardcode, poke_interval: 10, tasks: 30, more: false } },
    });

    await zone.land(key);
    const ended = await service.tickUntil(() => api.tasks(queue), haveEnded);
    expect(ended.map(({ state }) => state)).toEqual(tasks.map(() => 'success'));
    expect(new Set(ended.map((task) => task.id))).toEqual(new Set(tasks.map((task) => task.id)));
    expect(new Set(ended.map(({ ended_at }) => ended_at)).size).toBe(1);
    expect(ended.every(({ history }) => history.length === 2)).toBe(true);

    // One call more: the key. A tick of the schedule's own may come between and look as well; 30 tasks never do.
    const calls = await until(
      () => service.calls(queue),
      (sum) => sum > first,
    );
    expect(calls).toBeLessThan(10);
  });

  test('a list of keys is met when the last one is there', async () => {
    const keys = ['a', 'b'].map((name) => service.unique(name));
    const [first = '', second = ''] = keys;
    await zone.land(first);
    const { id } = await api.submit({ ...POKED, queue, sensor: { type: 's3_key', bucket, key: keys } });
    await until(
      () => service.calls(queue),
      (calls) => calls > 0,
    );
    expect(await api.task(id)).toMatchObject({ state: 'sensing' });
    await zone.land(second);
    const ended = await service.tickUntil(
      () => api.task(id),
      ({ state }) => state !== 'sensing',
    );
    expect(ended.state).toBe('success');
  });

  test('a bucket that does not exist is a permanent error, or not yet where it is asked for', async () => {
    const sensor = { type: 's3_key', bucket: service.unique('none'), key: 'k' };
    const [strict, silent] = await api.submitAll([
      { queue, sensor },
      { queue, sensor, silent_fail: true },
    ]);
    const ended = await until(
      () => api.task(strict!.id),
      ({ state }) => state !== 'sensing',
    );
    expect(ended).toMatchObject({ state: 'failed', reason: `bucket ${sensor.bucket} does not exist` });
    expect(await api.task(silent!.id)).toMatchObject({ state: 'sensing', try_number: 1 });
    await api.call('DELETE', `/v1/tasks/${silent!.id}`);
  });
});

describe('deadlines', () => {
  test('a timeout is final whatever retries are left; soft_fail and never_fail skip; retry_on_timeout retries', async () => {
    const waits = { queue, sensor: s3(service.unique('never')), timeout: 1, retries: 3 };
    const [hard, soft, never, again] = await api.submitAll([
      waits,
      { ...waits, soft_fail: true },
      { ...waits, never_fail: true },
      { ...waits, retry_on_timeout: true, retry_delay: 3_600 },
    ]);
    const tasks = [hard!, soft!, never!, again!];
    const ended = await service.tickUntil(() => Promise.all(tasks.map(({ id }) => api.task(id))), haveEnded);
    expect(ended.map(({ state, reason }) => `${state}: ${reason}`)).toEqual([
      'failed: timeout',
      'skipped: timeout',
      'skipped: timeout',
      'up_for_retry: timeout',
    ]);
    for (const { try_number, ended_at, deadline, started_at } of ended) {
      expect(try_number).toBe(1);
      expect(Date.parse(deadline) - Date.parse(started_at)).toBe(1_000);
      expect(Date.parse(ended_at ?? '')).toBeGreaterThan(Date.parse(deadline));
    }
  });
});
