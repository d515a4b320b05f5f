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
    ['state=sensing&state=failed', 'state'],
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
    for (const query of ['', 'state=failed&', 'queue=q&state=sensing&']) {
      expect(await service.call('GET', `/v1/tasks?${query}next=${token}`)).toMatchObject({ status: 422 });
    }
  });
});
