import { afterAll, expect, test } from '@jest/globals';
import type * as z from 'zod';
import { queueAnswer } from '../../functions/api/schemas/answers.ts';
import { GRACE_MS } from '../../functions/core/membership.ts';
import { queueKey, targetKey } from '../../functions/store/keys.ts';
import { connect } from './service.ts';
import { until } from './until.ts';

const service = connect();
const { api } = service;

afterAll(() => service.leave());

type Queue = z.output<typeof queueAnswer>;

async function queueOf(method: 'GET' | 'PUT', name: string, body?: object): Promise<Queue> {
  return queueAnswer.parse((await api.call(method, `/v1/queues/${name}`, body)).body);
}

test('a queue whose waits have ended has no worker, then not even a decision, until somebody submits to it', async () => {
  const [quiet, clock] = [service.queue(), service.queue()];
  const look = () => queueOf('GET', quiet);
  await queueOf('PUT', quiet, { cooldown_seconds: 0 });
  // A worker in each tick: by its logs it is known that the others' would be there as well.
  await queueOf('PUT', clock, { min_workers: 1 });
  /** @returns when so many more ticks were over. */
  async function pass(ticks: number): Promise<void> {
    const before = await service.ticks(clock);
    await service.tickUntil(
      () => service.ticks(clock),
      (seen) => seen.length >= before.length + ticks,
    );
  }

  const waits = {
    queue: quiet,
    sensor: { type: 'datetime', at: '2100-01-01T00:00:00Z' },
    poke_interval: 10,
    timeout: 1,
  };
  const { id } = await api.submit(waits);
  const ended = await service.tickUntil(
    () => api.task(id),
    ({ state }) => state !== 'sensing',
  );
  expect(ended).toMatchObject({ state: 'failed', reason: 'timeout' });

  // One worker stays for the dormant target, until nobody can have joined it any more: minutes, which pass at once.
  await until(look, ({ dormant }) => dormant === 1);
  await service.table.setBack(targetKey(ended), ['joined_at', 'dormant'], GRACE_MS);
  const none = await service.tickUntil(look, ({ workers }) => workers.wanted === 0);
  expect(none).toMatchObject({ idle: false, due: 0, held: 0, workers: { reason: 'nothing is due: the minimum' } });
  const decidedAt = Date.parse(none.workers.decided_at ?? '');
  await pass(1);
  const worked = await service.ticks(quiet);
  expect(worked).not.toEqual([]);
  expect(worked.filter((at) => at >= decidedAt)).toEqual([]);

  await service.table.setBack(queueKey(quiet), ['active_at'], GRACE_MS);
  const asleep = await service.tickUntil(look, ({ idle }) => idle);
  await pass(1);
  expect(await look()).toEqual(asleep);
  expect(await service.ticks(quiet)).toEqual(worked);

  await api.submit(waits);
  expect(await look()).toMatchObject({ idle: false });
});
