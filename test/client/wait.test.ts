import { describe, expect, test } from '@jest/globals';
import { hasEnded, WaitTimeoutError } from '../../client/index.ts';
import { aBench, answer, busy, unreachable } from './setup.ts';

const TASK = { id: 'a', sensor: { type: 'datetime', at: '2100-01-01T00:00:00Z' }, timeout: 86_400 } as const;

describe('wait', () => {
  test('for the end, asking only whether something has changed', async () => {
    const bench = aBench();
    const { client, service, sent, pauses } = bench;
    await client.submit(TASK);
    bench.onPause = async () => {
      if (pauses.length === 6) await service.call('POST', '/v1/tasks/a/mark', { state: 'skipped' });
    };
    const task = await client.wait('a');
    expect(task).toMatchObject({ id: 'a', state: 'skipped' });
    expect(hasEnded(task)).toBe(true);
    const [first, ...others] = sent.slice(1).map(({ headers }) => headers['if-none-match']);
    expect(first).toBeUndefined();
    expect(others).toEqual(others.map(() => '"1"'));
    expect(pauses).toEqual([750, 1_125, 1_687.5, 2_531.25, 3_796.875, 5_695.3125]);
  });

  test('of what has ended: one look', async () => {
    const { client, pauses } = aBench();
    await client.submit(TASK);
    await client.remove('a');
    expect(await client.wait('a', { timeoutSeconds: 0 })).toMatchObject({ state: 'removed' });
    expect(pauses).toEqual([]);
  });

  test('no pause is longer than half a minute, unless the first is', async () => {
    const bench = aBench({ random: () => 0.999_999 });
    await bench.client.submit(TASK);
    await expect(bench.client.wait('a', { timeoutSeconds: 600 })).rejects.toBeInstanceOf(WaitTimeoutError);
    expect(Math.max(...bench.pauses)).toBeCloseTo(30_000, -1);
    const { length } = bench.pauses;
    await expect(bench.client.wait('a', { timeoutSeconds: 600, pollSeconds: 120 })).rejects.toThrow(
      /within 600 seconds/,
    );
    expect(bench.pauses.slice(length, length + 2).map(Math.round)).toEqual([120_000, 120_000]);
  });

  test('its own time: the last look is at its end, and it says how the task stands', async () => {
    const { client, pauses } = aBench();
    await client.submit(TASK);
    const over = client.wait('a', { timeoutSeconds: 10 });
    await expect(over).rejects.toMatchObject({
      name: 'WaitTimeoutError',
      message: 'the task a has not ended within 10 seconds: it is sensing',
      task: { id: 'a' },
    });
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(10_000);
  });

  test('its own time, when the service is down at its end', async () => {
    const bench = aBench();
    await bench.client.submit(TASK);
    bench.onPause = () => void bench.faults.push(busy);
    await expect(bench.client.wait('a', { timeoutSeconds: 10 })).rejects.toThrow('within 10 seconds: it is sensing');
    await expect(bench.client.wait('none', { timeoutSeconds: 0 })).rejects.toMatchObject({ status: 404 });
  });

  test('until a signal aborts: in a pause, before a look', async () => {
    const bench = aBench();
    await bench.client.submit(TASK);
    const reason = new Error('enough');
    const during = new AbortController();
    bench.onPause = () => (bench.pauses.length === 3 ? during.abort(reason) : undefined);
    await expect(bench.client.wait('a', { signal: during.signal })).rejects.toBe(reason);
    expect(bench.sent).toHaveLength(1 + 3);
    await expect(bench.client.wait('a', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(bench.sent).toHaveLength(1 + 3);
  });

  test('a signal that aborts while a look is under way', async () => {
    const { client, faults } = aBench();
    const during = new AbortController();
    const reason = new Error('enough');
    faults.push(() => {
      during.abort(reason);
      return Promise.reject(new DOMException('This operation was aborted', 'AbortError'));
    });
    await expect(client.wait('a', { signal: during.signal })).rejects.toBe(reason);
  });

  test('a service that is down for some minutes ends no wait', async () => {
    const bench = aBench();
    const { client, faults, service, pauses } = bench;
    await client.submit(TASK);
    faults.push(...Array.from({ length: 10 }, () => unreachable), ...Array.from({ length: 10 }, () => busy));
    bench.onPause = async () => {
      if (pauses.length === 30) await service.call('POST', '/v1/tasks/a/mark', { state: 'success' });
    };
    expect(await client.wait('a')).toMatchObject({ state: 'success' });
  });

  test('one that stays down does, and so does a refusal, at once', async () => {
    const { client, faults, sent } = aBench();
    faults.push(...Array.from({ length: 25 }, () => unreachable));
    await expect(client.wait('a')).rejects.toThrow('GET /v1/tasks/a has no answer: ECONNREFUSED (after 5 tries)');
    expect(sent).toHaveLength(25);
    await expect(client.wait('none')).rejects.toMatchObject({ status: 404 });
    faults.push(answer(403, { message: 'Missing Authentication Token' }));
    await expect(client.wait('a')).rejects.toThrow('403 Forbidden: Missing Authentication Token');
    expect(sent).toHaveLength(27);
  });
});
