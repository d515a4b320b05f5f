import { describe, expect, test } from '@jest/globals';
import { openPlace, sealPlace } from '../../functions/api/page-token.ts';
import { aService, KEY, SENSOR } from './service.ts';
import type { Reply, Service } from './service.ts';

const ids = ({ body }: Reply): readonly string[] => body.tasks.map(({ id }) => id);

/** Reads all pages. */
async function all(service: Service, query: string): Promise<{ pages: number; found: string[] }> {
  const found: string[] = [];
  let next: string | undefined;
  let pages = 0;
  do {
    const token = next === undefined ? '' : `&next=${encodeURIComponent(next)}`;
    const reply = await service.call('GET', `/v1/tasks?${query}${token}`);
    expect(reply.status).toBe(200);
    found.push(...ids(reply));
    next = reply.body.next;
    pages += 1;
  } while (next !== undefined && pages < 100);
  return { pages, found };
}

async function aQueueOf(count: number): Promise<Service> {
  const service = aService();
  for (let n = 0; n < count; n += 1) {
    service.at(n);
    await service.submit({ id: `t${n}` });
  }
  return service;
}

describe('GET tasks', () => {
  test('of a state, newest first, page by page, each once', async () => {
    const service = await aQueueOf(25);
    const expected = Array.from({ length: 25 }, (_, n) => `t${24 - n}`);
    expect(ids(await service.call('GET', '/v1/tasks?state=sensing'))).toEqual(expected);
    const { pages, found } = await all(service, 'state=sensing&limit=10');
    expect(found).toEqual(expected);
    expect(pages).toBe(3);
  });

  test('of all states, one after the other, each once', async () => {
    const service = await aQueueOf(12);
    for (const n of [3, 4]) await service.call('POST', `/v1/tasks/t${n}/mark`, { state: 'success' });
    await service.call('DELETE', '/v1/tasks/t5');
    await service.submit({ id: 'x', sensor: { type: 'external' } });
    for (const limit of [1, 5, 100]) {
      const { found } = await all(service, `limit=${limit}`);
      expect(found).toHaveLength(13);
      expect(new Set(found).size).toBe(13);
      expect(found[0]).toBe('t11');
      expect(found.at(-1)).toBe('t5');
    }
  });

  test('of a DAG and a run, in pages that hold less where others lie between', async () => {
    const service = aService();
    for (let n = 0; n < 40; n += 1) {
      await service.submit({ id: `t${n}`, dag_id: n % 4 === 0 ? 'orders' : 'stock', run_id: `run${n % 8}` });
    }
    const orders = await all(service, 'dag_id=orders&limit=5');
    expect(orders.found.toSorted()).toEqual(Array.from({ length: 10 }, (_, n) => `t${n * 4}`).toSorted());
    expect((await all(service, 'dag_id=orders&run_id=run4')).found).toHaveLength(5);
    expect((await all(service, 'run_id=run1&state=sensing')).found).toHaveLength(5);
    expect((await all(service, 'run_id=nobody')).found).toEqual([]);
  });

  test.each(['state=failed&state=sensing', 'state=sensing,failed', 'state=failed,sensing,failed&state=sensing'])(
    'of several states: %s',
    async (query) => {
      const service = await aQueueOf(6);
      await service.call('POST', '/v1/tasks/t1/mark', { state: 'failed' });
      await service.call('POST', '/v1/tasks/t2/mark', { state: 'success' });
      for (const limit of [1, 4, 100]) {
        const { found } = await all(service, `${query}&limit=${limit}`);
        expect(found).toEqual(['t5', 't4', 't3', 't0', 't1']);
      }
    },
  );

  test('of a run among many: so many tasks are looked at and no more, and the pages go on', async () => {
    let read = 0;
    const service = aService({
      wrap: (table) => ({
        ...table,
        getMany(keys) {
          read += keys.length;
          return table.getMany(keys);
        },
      }),
    });
    const tasks = Array.from({ length: 1_250 }, (_, n) => ({ id: `t${n}`, sensor: SENSOR, run_id: `run${n % 600}` }));
    for (let from = 0; from < tasks.length; from += 500) {
      await service.call('POST', '/v1/tasks', { tasks: tasks.slice(from, from + 500) });
    }
    read = 0;
    const first = await service.call('GET', '/v1/tasks?run_id=run40&state=sensing&limit=2');
    expect(read).toBeLessThanOrEqual(1_000);
    expect(first.body.tasks.length).toBeLessThanOrEqual(2);
    const { found } = await all(service, 'run_id=run40&state=sensing&limit=2');
    expect(found.toSorted()).toEqual(['t1240', 't40', 't640']);
    const none = await service.call('GET', '/v1/tasks?run_id=nobody&state=sensing');
    expect(none).toMatchObject({ status: 200, body: { tasks: [], next: expect.any(String) } });
  });

  test('of the queue that is asked for alone', async () => {
    const service = await aQueueOf(2);
    await service.submit({ id: 'other', queue: 'q' });
    expect((await all(service, 'queue=q')).found).toEqual(['other']);
    expect((await all(service, 'queue=nobody')).found).toEqual([]);
    expect((await service.call('GET', '/v1/tasks')).body.tasks).toHaveLength(2);
  });

  test('the tasks are shown as by themselves', async () => {
    const service = aService();
    await service.submit({ id: 'a' });
    const { body } = await service.call('GET', '/v1/tasks/a');
    expect((await service.call('GET', '/v1/tasks')).body).toEqual({ tasks: [body] });
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=x', 'limit'],
    ['limit=', 'limit'],
    ['state=none', 'state'],
    ['state=', 'state'],
    ['state=sensing,none', 'state'],
    ['state=sensing&state=', 'state'],
    ['queue=a&queue=b', 'queue'],
    ['dag_id=', 'dag_id'],
    ['run_id=a&run_id=b', 'run_id'],
    [`run_id=${'x'.repeat(251)}`, 'run_id'],
    ['queue=a%23b', 'queue'],
    ['sort=id', 'sort'],
    ['__proto__=1', '__proto__'],
    ['next=abc', 'next'],
    ['next=a.b.c', 'next'],
    ['next=.', 'next'],
    [`next=${'x'.repeat(8001)}`, 'next'],
  ])('%.40s is refused, naming %s', async (query, field) => {
    const service = aService();
    expect(await service.call('GET', `/v1/tasks?${query}`)).toMatchObject({ status: 422, body: { field } });
    expect(service.logged).toEqual([]);
  });
});

describe('page tokens', () => {
  const place = {
    queue: 'default',
    at: 'sensing',
    position: { partitions: { '0': { pk: 'TASK#a', n: 1 }, '1': null } },
  } as const;

  test('come back as they were', () => {
    expect(openPlace(sealPlace(place, KEY), KEY)).toEqual(place);
  });

  test('of another key, or changed by one character, are none', () => {
    const token = sealPlace(place, KEY);
    expect(openPlace(token, `${KEY}!`)).toBeUndefined();
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      const changed = openPlace(`${token.slice(0, at)}${other}${token.slice(at + 1)}`, KEY);
      // The last character of a base64 text may have bits that say nothing.
      expect(changed ?? place).toEqual(place);
    }
  });

  test('serve the listing that they were given for, and no other', async () => {
    const service = await aQueueOf(3);
    await service.submit({ id: 'q1', queue: 'q', sensor: SENSOR });
    const { next } = (await service.call('GET', '/v1/tasks?limit=1&state=sensing')).body;
    const token = encodeURIComponent(next ?? '');
    expect(await service.call('GET', `/v1/tasks?state=sensing&next=${token}`)).toMatchObject({ status: 200 });
    const others = ['', 'state=failed&', 'state=sensing,failed&', 'queue=q&state=sensing&', 'state=sensing&run_id=r&'];
    for (const query of others) {
      expect(await service.call('GET', `/v1/tasks?${query}next=${token}`)).toMatchObject({ status: 422 });
    }
  });
});
