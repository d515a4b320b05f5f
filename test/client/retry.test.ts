import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NoAnswerError, SensoriumError, UnreadableAnswerError } from '../../client/index.ts';
import type { SensoriumClient } from '../../client/index.ts';
import { pauseMs, retryAfterMs } from '../../client/retry.ts';
import { aBench, answer, busy, lostAnswer, unreachable } from './setup.ts';
import type { Bench, Fault } from './setup.ts';

const TASK = { id: 'a', sensor: { type: 'datetime', at: '2100-01-01T00:00:00Z' } } as const;
const WORKER = { hostname: 'h', unixname: 'u', pid: 1 };

/** API Gateway's own answers: nothing of the service is in them. */
const gateway = (status: number): Fault =>
  answer(status, { message: 'Service Unavailable' }, { 'content-type': 'application/json' });
const throttled: Fault = answer(429, { message: 'Limit Exceeded' }, { 'content-type': 'application/json' });

type Ask = (client: SensoriumClient) => Promise<unknown>;

const get: Ask = (client) => client.get('a');
const clear: Ask = (client) => client.clear('a');

async function aRun(): Promise<Bench> {
  const bench = aBench();
  await bench.client.submit({ id: 'x', sensor: { type: 'external' }, retries: 1 });
  await bench.client.run('x', WORKER);
  return bench;
}

describe('what is tried again', () => {
  test.each<[string, Ask, Fault, number]>([
    ['a read that is throttled', get, throttled, 2],
    ['a read of a busy service', get, busy, 2],
    ['a read that no server takes', get, unreachable, 2],
    ['a read whose answer is lost', get, lostAnswer, 2],
    ['a read that a gateway loses', get, gateway(504), 2],
    ['a read through a gateway that is down', get, gateway(503), 2],
    ['a submit whose answer is lost', (client) => client.submit(TASK), lostAnswer, 2],
    ['a mark whose answer is lost', (client) => client.mark('a', 'success'), lostAnswer, 2],
    ['a removal whose answer is lost', (client) => client.remove('a'), lostAnswer, 2],
    ['a queue that is set, answer lost', (client) => client.setQueue('q', { paused: true }), lostAnswer, 2],
    ['a clear that is throttled: nothing was begun', clear, throttled, 2],
    ['a clear that the service had no time for', clear, busy, 2],
  ])('%s', async (_name, ask, fault, calls) => {
    const { client, sent, faults } = aBench();
    await client.submit(TASK);
    faults.push(fault);
    await ask(client);
    expect(sent).toHaveLength(1 + calls);
  });

  test('a clear whose answer is lost is not: twice would be two tries', async () => {
    const { client, sent, faults } = aBench();
    await client.submit(TASK);
    for (const fault of [lostAnswer, gateway(503), gateway(502)]) {
      faults.push(fault);
      await expect(client.clear('a')).rejects.toThrow(
        /^(POST \/v1\/tasks\/a\/clear has no answer: ECONNRESET|50[23] )/,
      );
    }
    expect(sent).toHaveLength(4);
    expect(await client.get('a')).toMatchObject({ try_number: 2 });
  });

  test.each([
    ['x~1', {}],
    ['x', { try_number: 1 }],
  ])('a state of %s %j, which names the try, answer lost', async (id, more) => {
    const { client, sent, faults } = await aRun();
    faults.push(lostAnswer);
    expect(await client.state(id, { state: 'failed', ...more })).toMatchObject({ state: 'up_for_retry' });
    expect(sent).toHaveLength(4);
  });

  test('a state of the current try, answer lost, is not: it may be another by then', async () => {
    const { client, sent, faults } = await aRun();
    faults.push(lostAnswer);
    await expect(client.state('x', { state: 'failed' })).rejects.toBeInstanceOf(NoAnswerError);
    expect(sent).toHaveLength(3);
  });

  test.each([400, 403, 404, 409, 422, 500])('%d is not', async (status) => {
    const { client, sent, faults } = aBench();
    faults.push(answer(status, { title: 'T', status, detail: 'd', field: 'f' }));
    await expect(client.get('a')).rejects.toMatchObject({ status, title: 'T', detail: 'd', field: 'f' });
    expect(sent).toHaveLength(1);
  });

  test('a submit without an id has one before its first try', async () => {
    const { client, sent, faults } = aBench();
    faults.push(lostAnswer, busy);
    const { id } = await client.submit({ sensor: TASK.sensor });
    expect(id).toBe('made-1');
    expect(new Set(sent.map(({ text }) => text)).size).toBe(1);
    expect((await client.get(id)).history).toHaveLength(1);
  });
});

describe('pauses', () => {
  test('grow with full jitter, and give up after the last try', async () => {
    const { client, pauses, faults } = aBench({ retry: { attempts: 4, baseMs: 100, capMs: 300 } });
    faults.push(...Array.from({ length: 4 }, () => throttled));
    const refused = client.get('a');
    await expect(refused).rejects.toThrow('429 Too Many Requests: Limit Exceeded (after 4 tries)');
    await expect(refused).rejects.toBeInstanceOf(SensoriumError);
    expect(pauses).toEqual([50, 100, 150]);
  });

  test('are at least what Retry-After asks for', async () => {
    const { client, pauses, faults } = aBench();
    faults.push(busy, answer(429, '', { 'retry-after': new Date(1_100 + 3_000).toUTCString() }));
    await expect(client.get('a')).rejects.toMatchObject({ status: 404 });
    expect(pauses).toEqual([1_100, 2_900 + 200]);
  });

  test('a Retry-After longer than any pause is not waited for', async () => {
    const { client, pauses, faults } = aBench();
    faults.push(answer(503, 'closed', { 'retry-after': '3600' }));
    await expect(client.get('a')).rejects.toThrow('503 Service Unavailable: closed (after 1 try)');
    expect(pauses).toEqual([]);
  });

  test('are from 0 to the cap, whatever the dice say', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 2_000 }),
        (dice, tries) => {
          const pause = pauseMs({ attempts: 5, baseMs: 200, capMs: 20_000 }, tries, () => dice);
          expect(pause).toBeGreaterThanOrEqual(0);
          expect(pause).toBeLessThanOrEqual(20_000);
        },
      ),
    );
  });

  test.each([
    [null, undefined],
    ['7', 7_000],
    [' 0 ', 0],
    ['Thu, 01 Jan 1970 00:00:09 GMT', 8_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
  ])('Retry-After %s is %p', (text, ms) => {
    expect(retryAfterMs(text, 1_000)).toBe(ms);
  });
});

describe('answers', () => {
  test.each<[unknown, string]>([
    [{}, 'the answer to GET /v1/tasks/a cannot be read: id is missing or of another type'],
    ['<html>', 'GET /v1/tasks/a was answered with what is no JSON: <html>'],
    ['', 'the answer to GET /v1/tasks/a cannot be read: it is missing or of another type'],
  ])('%j is no task', async (body, message) => {
    const { client, faults } = aBench();
    faults.push(answer(200, body));
    const read = client.get('a');
    await expect(read).rejects.toBeInstanceOf(UnreadableAnswerError);
    await expect(read).rejects.toThrow(message);
  });

  test('a field that is missing or of another kind is named', async () => {
    const { client, faults } = aBench();
    const task = await client.submit(TASK);
    faults.push(
      answer(200, { ...task, history: [{ ...task.history[0], at: 5 }] }),
      answer(200, { ...task, state: 'odd' }),
    );
    await expect(client.get('a')).rejects.toThrow('history.0.at is missing or of another type');
    await expect(client.get('a')).rejects.toThrow('state has a value that this client does not know');
  });

  test('fields of a later version are left out', async () => {
    const { client, faults } = aBench();
    const task = await client.submit(TASK);
    const history = task.history.map((entry) => ({ ...entry, more: 1 }));
    faults.push(answer(200, { ...task, colour: 'red', history }));
    expect(await client.get('a')).toEqual(task);
    const explained = await client.explain('a');
    const rule = { ...explained.next_poke_rule, more: { deep: 1 } };
    faults.push(answer(200, { ...explained, next_poke_rule: rule, cost: { ...explained.cost, euro: 1 } }));
    expect(await client.explain('a')).toEqual(explained);
  });
});
