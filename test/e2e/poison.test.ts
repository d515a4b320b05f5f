import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashcodePartition, PRIMARY_KEY, shardcodePartition, targetKey, taskKey } from '../../functions/store/keys.ts';
import { openLandingZone } from '../../local/demo/landing-zone.ts';
import type { LandingZone } from '../../local/demo/landing-zone.ts';
import { connect } from './service.ts';
import { until } from './until.ts';

const service = connect();
const { api } = service;
const queue = service.queue();
const bucket = service.unique('landing');
let zone: LandingZone;

beforeAll(async () => {
  zone = await openLandingZone(service.clients.s3, bucket);
});

afterAll(async () => {
  await zone.remove();
  await service.leave();
});

test('records that cannot be read are put aside with their reason, and 99 good tasks succeed', async () => {
  const keys = Array.from({ length: 9 }, (_, n) => service.unique(`key-${n}`));
  const bodies = Array.from({ length: 99 }, (_, n) => {
    return { queue, poke_interval: 10, sensor: { type: 's3_key', bucket, key: keys[n % 9] } };
  });
  const [good] = await api.submitAll(bodies);
  // The first pokes: nine looks for a key, one whether there is the bucket.
  await until(
    () => service.calls(queue),
    (calls) => calls >= 10,
  );

  // Beside the good ones, where a worker finds them: a target, a task that is due, a task that waits on a good target.
  const { hashcode, shardcode, mode } = good!;
  const now = Date.now();
  const due = { shardcode: shardcodePartition(queue, shardcode), wake_at: now };
  const target = { [PRIMARY_KEY]: targetKey({ queue, mode, hashcode: '7' }), ...due, rev: 'seven', next_deadline: {} };
  const retry = { [PRIMARY_KEY]: taskKey(service.unique('retry')), ...due, state: 'up_for_retry', rev: 1 };
  const member = {
    [PRIMARY_KEY]: taskKey(service.unique('member')),
    hashcode: hashcodePartition({ queue, mode, hashcode }),
    deadline: now + 60_000,
    state: 'sensing',
    rev: 1,
    exec: 'none',
  };
  const bad = [target, retry, member];
  for (const item of bad) await service.table.put(item);

  for (const key of keys) await zone.land(key);
  const ended = await service.tickUntil(
    () => api.tasks(queue),
    (tasks) => tasks.every(({ state }) => state !== 'sensing'),
  );
  expect(ended.map(({ state }) => state)).toEqual(bodies.map(() => 'success'));

  for (const { [PRIMARY_KEY]: key = '', ...item } of bad) {
    // The ticks that saw the good ones may have read their shards before the bad ones were put.
    const aside = await service.tickUntil(
      () => service.table.get(key),
      (standing) => standing?.['quarantined'] !== undefined,
    );
    const { shardcode: _s, hashcode: _h, ...kept } = item as Record<string, unknown>;
    // Out of the workers' indexes, and otherwise as it was.
    expect(aside).toEqual({
      [PRIMARY_KEY]: key,
      ...kept,
      quarantined: { reason: expect.stringMatching(/^\w+(\.\w+)*: .+/), at: expect.any(Number) },
    });
  }
});

test('an id that a bad record has is refused, and stands in nobody else’s way', async () => {
  const [id, other] = ['bad', 'good'].map((name) => service.unique(name));
  await service.table.put({ [PRIMARY_KEY]: taskKey(id!), state: 'sensing' });
  const body = (name: string, at: string) => ({ id: name, queue, sensor: { type: 'datetime', at } });
  const refused = body(id!, '2024-01-01T00:00:00Z');
  expect(await api.call('POST', '/v1/tasks', refused)).toMatchObject({ status: 409, body: { field: 'id' } });
  expect(await api.call('POST', '/v1/tasks', { tasks: [refused, body(other!, '2024-01-02T00:00:00Z')] })).toMatchObject(
    {
      status: 201,
      body: {
        results: [
          { id, status: 409, problem: { field: 'id' } },
          { id: other, status: 201 },
        ],
      },
    },
  );
  await until(
    () => api.task(other!),
    ({ state }) => state === 'success',
  );
});
