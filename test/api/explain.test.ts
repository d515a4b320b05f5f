import { describe, expect, test } from '@jest/globals';
import { phaseMs, tokenDigest } from '../../functions/core/identity.ts';
import type { Task } from '../../functions/core/task.ts';
import { detailOf } from '../../functions/notifier/event.ts';
import { T0 } from '../support/tasks.ts';
import { aService } from './service.ts';
import type { Service } from './service.ts';

const TASK = '/v1/tasks/a';
const iso = (seconds: number) => new Date(T0 + seconds * 1000).toISOString();

describe('explain', () => {
  const explain = async (service: Service) => (await service.call('GET', `${TASK}/explain`)).body;

  test('a wait: deadline, next poke, last observation, who shares it', async () => {
    const service = aService();
    const task: Task = await service.submit({ id: 'a', timeout: 3600 });
    await service.submit({ id: 'b', timeout: 7200 });
    service.at(100);
    expect(await explain(service)).toMatchObject({
      id: 'a',
      state: 'sensing',
      deadline: iso(3600),
      last_observation: null,
      target: { hashcode: task.hashcode, tasks: 2, more: false, poke_interval: 60, exponential_backoff: false },
    });
    const observation = { kind: 'not_met', detail: 'no such key' } as const;
    await service.store.observe(task, { observation, at: T0 + 90_000, first_unknown_at: null });
    const { next_poke, last_observation } = await explain(service);
    expect(last_observation).toEqual({ ...observation, at: iso(90) });
    const due = Date.parse(next_poke);
    expect(due % 60_000).toBe(phaseMs(task.hashcode, 60));
    expect(due).toBeGreaterThan(T0 + 100_000);
    expect(due).toBeLessThanOrEqual(T0 + 160_000);
  });

  test('case N025: who has not been told of its end, how often that was tried, and when it is tried again', async () => {
    const service = aService();
    await service.submit({ id: 'a', callback: { task_token: 'a-bearer-token' } });
    await service.call('DELETE', TASK);
    expect(await explain(service)).not.toHaveProperty('untold');
    const task = await service.store.task('a');
    const fact = detailOf(task!, 'sensing');
    const mark = { fact, since: T0 + 1000, tries: 2, why: 'ThrottlingException', wake_at: T0 + 121_000 };
    await service.store.addUntold([
      { ...mark, receiver: 'bus' },
      { ...mark, receiver: 'execution', token: tokenDigest('a-bearer-token') },
      { ...mark, receiver: 'execution', token: tokenDigest('of somebody else') },
    ]);
    const body: object = await explain(service);
    const said = { since: iso(1), tries: 2, why: 'ThrottlingException', next_try_at: iso(121) };
    const untold = [
      { receiver: 'bus', ...said },
      { receiver: 'execution', ...said },
    ];
    expect(body).toMatchObject({ untold: expect.arrayContaining(untold) });
    expect(body).toMatchObject({ untold: { length: 2 } });
    expect(JSON.stringify(body)).not.toContain('a-bearer-token');
    expect(JSON.stringify(body)).not.toContain(tokenDigest('a-bearer-token'));
  });

  /** A shard's record as a tick leaves it. */
  const ticked = async ({ store }: Service, { shardcode }: Task, through: number, owed: readonly string[]) => {
    const shard = Math.floor(shardcode / 4);
    const record = await store.takeLease('default', shard, 'w', T0, T0 + 1000);
    if (record === undefined) throw new Error('the lease is taken');
    await store.saveShard({ ...record, ticked_through: T0 + through * 1000, owed, owed_since: T0 + 30_000 }, 'w');
  };

  test('a poke that found nothing is not written, and not told as if there had been none', async () => {
    const service = aService();
    const task: Task = await service.submit({ id: 'a' });
    expect(await explain(service)).toMatchObject({ last_observation: null });
    await ticked(service, task, 120, []);
    service.at(130);
    const { last_observation, last_poke } = await explain(service);
    const due = 60 + phaseMs(task.hashcode, 60) / 1000;
    expect(last_poke).toEqual({ at: iso(due), estimated: true });
    expect(last_observation).toEqual({ kind: 'not_met', at: iso(due), estimated: true });
  });

  test('where a rate budget is short: its place in the queue of what is owed, and by when it is poked', async () => {
    const service = aService();
    await service.call('PUT', '/v1/queues/default', { budgets: { s3: 0.1 } });
    const task: Task = await service.submit({ id: 'a' });
    expect(await explain(service)).not.toHaveProperty('short_of_calls');
    await ticked(service, task, 120, ['default#smart#1', `default#smart#${task.hashcode}`, 'default#smart#2']);
    service.at(130);
    const { last_poke, short_of_calls } = await explain(service);
    expect(last_poke).toBeUndefined();
    expect(short_of_calls).toEqual({
      budget: 's3',
      calls_per_second: 0.1,
      owed_since: iso(30),
      place_at_most: 3,
      expected_by: iso(130 + 60 + 30),
    });
  });

  test('where the concurrency of all queues had no room: what its queue asked for, while it waits', async () => {
    const service = aService();
    await service.submit({ id: 'a', mode: 'poke' });
    const decide = async (short: { readonly workers: number; readonly runs: number } | undefined) => {
      const seen = await service.store.queue('default');
      if (seen === undefined) throw new Error('no queue');
      const decision = { at: T0, desired: 1, running: 0, queued: 9, reason: 'no room', ...(short && { short }) };
      await service.store.saveQueue(seen, { ...seen, rev: seen.rev + 1, decision });
    };
    await decide(undefined);
    expect((await service.call('GET', '/v1/tasks/a/explain')).body).not.toHaveProperty('limited_by');
    await decide({ workers: 0, runs: 3 });
    expect((await service.call('GET', '/v1/tasks/a/explain')).body).toMatchObject({ limited_by: 'no room' });
    await service.call('POST', '/v1/tasks/a/mark', { state: 'success' });
    expect((await service.call('GET', '/v1/tasks/a/explain')).body).not.toHaveProperty('limited_by');
  });

  test('how the next poke was computed', async () => {
    const service = aService();
    const task: Task = await service.submit({ id: 'a' });
    const phase = phaseMs(task.hashcode, 60) / 1000;
    expect((await explain(service)).next_poke_rule).toEqual({ rule: 'interval', interval: 60, phase });
    await service.submit({ id: 'b', poke_interval: 50, exponential_backoff: true, queue: 'other' });
    const { body } = await service.call('GET', '/v1/tasks/b/explain');
    expect(body.next_poke_rule).toMatchObject({ rule: 'exponential', n: 1, cap: null });
  });

  test('what it has cost, what it will until its deadline, and its share of that', async () => {
    const service = aService();
    await service.submit({ id: 'a', timeout: 7200 });
    service.at(3600);
    const alone = (await explain(service)).cost;
    expect(alone).toMatchObject({ so_far: { calls: 61 }, until_deadline: { calls: 60 }, shared_by: 1 });
    await service.submit({ id: 'b', timeout: 7200 });
    const shared = (await explain(service)).cost;
    expect(shared).toMatchObject({ so_far: { calls: 61 }, shared_by: 2 });
    expect(shared.so_far.dollars).toBeLessThan(alone.so_far.dollars);
    await service.call('POST', `${TASK}/mark`, { state: 'success' });
    service.at(7000);
    const { cost } = await explain(service);
    expect(cost).toMatchObject({ so_far: { calls: 61 }, shared_by: 1 });
    expect(cost).not.toHaveProperty('until_deadline');
  });

  test.each(['poke', 'reschedule'])('a run of its own in mode %s: when it pokes next', async (mode) => {
    const service = aService();
    await service.submit({ id: 'a', mode, timeout: 3600 });
    service.at(5);
    expect(await explain(service)).toMatchObject({ state: 'queued', next_poke: iso(5) });
    await service.move('a', { type: 'start', leaseUntil: T0 + 185_000 });
    expect(await explain(service)).toMatchObject({ state: 'running', next_poke: iso(60) });
    await service.move('a', { type: 'reschedule', at: T0 + 60_000 });
    expect(await explain(service)).toMatchObject({ state: 'up_for_reschedule', next_poke: iso(60) });
    service.at(70);
    expect(await explain(service)).toMatchObject({ next_poke: iso(70) });
    await service.call('POST', `${TASK}/mark`, { state: 'skipped' });
    expect(await explain(service)).not.toHaveProperty('next_poke');
  });

  test('an answer that does not come: since when', async () => {
    const service = aService();
    const task = await service.submit({ id: 'a' });
    const observation = { kind: 'unknown', reason: 'SlowDown', throttled: true } as const;
    await service.store.observe(task, { observation, at: T0 + 5000, first_unknown_at: T0 + 5000 });
    expect(await explain(service)).toMatchObject({ unknown_since: iso(5), last_observation: { kind: 'unknown' } });
  });

  test('case 23: up_for_retry says how the delay is made up', async () => {
    const service = aService();
    const coordinates = { dag_id: 'd', task_id: 't', logical_date: '2024-01-01T00:00:00Z' };
    await service.submit({ id: 'a', retries: 3, retry_exponential_backoff: true, ...coordinates });
    service.at(60);
    await service.move('a', { type: 'failed', reason: 'step ended in FAILED' });
    const answer = await explain(service);
    expect(answer).toMatchObject({
      state: 'up_for_retry',
      reason: 'step ended in FAILED',
      retry: { base: 300, jitter: 221, cap: 86_400, delay: 521, next_retry_at: iso(60 + 521) },
    });
    expect(answer).not.toHaveProperty('target');
    expect(answer.summary).toContain('step ended in FAILED');
  });

  test('a constant delay has no jitter and no cap', async () => {
    const service = aService();
    await service.submit({ id: 'a', retries: 1, retry_delay: 42 });
    await service.move('a', { type: 'failed', reason: 'x' });
    expect((await explain(service)).retry).toEqual({
      base: 42,
      jitter: 0,
      cap: null,
      delay: 42,
      next_retry_at: iso(42),
    });
  });

  test('a datetime is poked at its instant, a wait without its target at no time', async () => {
    const service = aService();
    const task = await service.submit({ id: 'a', sensor: { type: 'datetime', at: '2024-01-01T05:00:00Z' } });
    expect((await explain(service)).next_poke).toBe('2024-01-01T05:00:00.000Z');
    const target = (await service.store.target(task))!;
    await service.store.goDormant(target, T0);
    expect((await explain(service)).next_poke).toBeNull();
  });

  test.each([
    ['running', [{ type: 'start', owner: { hostname: 'h', unixname: 'u', pid: 1 } }], { owner: { hostname: 'h' } }],
    ['queued', [], {}],
    ['up_for_reschedule', [{ type: 'start' }, { type: 'reschedule', at: 1 }], {}],
    ['success', [{ type: 'met' }], { ended_at: iso(0) }],
  ] as const)('every state has its sentence: %s', async (state, events, shown) => {
    const service = aService();
    await service.submit({ id: 'a', sensor: { type: 'external' } });
    for (const event of events) await service.move('a', event);
    expect(await explain(service)).toMatchObject({
      state,
      summary: expect.stringMatching(/^(It|A|Its) .+\.$/),
      ...shown,
    });
  });
});
