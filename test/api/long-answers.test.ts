/** Answers and requests at the limits of Lambda, measured as Lambda does: the body as a text within JSON. */
import { describe, expect, test } from '@jest/globals';
import { answerRoom, escapedBytes, MAX_ANSWER_BYTES, MAX_BODY_BYTES } from '../../functions/payload.ts';
import document from '../../openapi.json' with { type: 'json' };
import { aService, SENSOR } from './service.ts';
import type { Reply } from './service.ts';

const bytesOf = ({ body }: Reply): number => escapedBytes(JSON.stringify(body));

/** About 90 kB as JSON. A quote is two bytes there, and four within Lambda's. */
const longKeys = (sign: string): string[] =>
  Array.from({ length: 100 }, (_, n) => `${n}-${sign.repeat(sign === 'x' ? 880 : 440)}`);

describe('an answer', () => {
  test.each(['x', '"', 'ä'])(
    'N028: a page ends by bytes, too, and no task is left out (%s)',
    async (sign) => {
      const service = aService();
      const sensor = { ...SENSOR, key: longKeys(sign) };
      for (let n = 0; n < 100; n += 1)
        await service.submit({ id: `t${n}`, sensor: { ...sensor, bucket: `landing-${n}` } });
      const found: string[] = [];
      const sizes: number[] = [];
      let next: string | undefined = '';
      while (next !== undefined) {
        const token: string = next === '' ? '' : `&next=${encodeURIComponent(next)}`;
        const reply: Reply = await service.call('GET', `/v1/tasks?limit=100${token}`);
        expect(reply.status).toBe(200);
        found.push(...reply.body.tasks.map(({ id }) => id));
        sizes.push(bytesOf(reply));
        next = reply.body.next;
      }
      expect(new Set(found).size).toBe(100);
      expect(found).toHaveLength(100);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
      // Pages are full: all but the last hold most of what they may.
      expect(Math.min(MAX_ANSWER_BYTES, ...sizes.slice(0, -1))).toBeGreaterThan(MAX_ANSWER_BYTES * 0.95);
    },
    60_000,
  );

  test('a batch: what has no room is told in short, and stands', async () => {
    const service = aService();
    const sensor = { ...SENSOR, key: longKeys('x') };
    const tasks = Array.from({ length: 50 }, (_, n) => ({ id: `t${n}`, sensor }));
    // What a task has besides its body, such as its history, is longer here than the body itself allows for.
    const reply = await service.call('POST', '/v1/tasks', { tasks }, { userArn: 'a'.repeat(40_000) });
    expect(reply.status).toBe(201);
    expect(bytesOf(reply)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    expect(reply.body.results).toHaveLength(50);
    expect(reply.body.results[0]).toMatchObject({ id: 't0', status: 201, task: { id: 't0' } });
    expect(reply.body.results[49]).toEqual({ id: 't49', status: 201 });
    expect(await service.task('t49')).toMatchObject({ state: 'sensing' });
  });

  test('a batch of 500 bad tasks: no fault is told where there is no room for it', async () => {
    const service = aService();
    const own: Record<string, number> = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`${n}${'"'.repeat(200)}`, 1]),
    );
    const tasks = Array.from({ length: 500 }, () => ({ sensor: SENSOR, ...own }));
    const reply = await service.call('POST', '/v1/tasks', { tasks });
    expect(reply).toMatchObject({ status: 422 });
    expect(reply.body.results).toHaveLength(500);
    expect(reply.body.results[0]).toMatchObject({ problem: { errors: expect.any(Array) } });
    expect(reply.body.results[499]).not.toMatchObject({ problem: { errors: expect.anything() } });
    expect(bytesOf(reply)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
  });

  test('250 queues are three pages, and 100 of the longest fit into one', async () => {
    const service = aService();
    const budgets = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => ['"'.repeat(98) + (10 + n), 99_999.123456]),
    );
    for (let n = 0; n < 250; n += 1) await service.call('PUT', `/v1/queues/${1000 + n}`, { budgets });
    const names: string[] = [];
    let reply = await service.call('GET', '/v1/queues');
    for (;;) {
      const { queues, next } = reply.body as unknown as { queues: { name: string }[]; next?: string };
      names.push(...queues.map(({ name }) => name));
      expect(queues.length).toBeLessThanOrEqual(100);
      expect(bytesOf(reply)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
      if (next === undefined) break;
      reply = await service.call('GET', `/v1/queues?next=${next}`);
    }
    expect(names).toEqual(Array.from({ length: 250 }, (_, n) => String(1000 + n)));
    expect(await service.call('GET', '/v1/queues?next=%25')).toMatchObject({ status: 422, body: { field: 'next' } });
  });

  test('the OpenAPI document fits', () => {
    expect(escapedBytes(JSON.stringify(document))).toBeLessThan(MAX_ANSWER_BYTES / 10);
  });

  test('a list whose table is slow ends after ten seconds, and says where to go on', async () => {
    let seconds = 0;
    const service = aService({
      wrap: (table) => ({
        ...table,
        async query(query) {
          service.at((seconds += 1));
          return table.query(query);
        },
      }),
    });
    await service.submit({ id: 'last' });
    await service.call('DELETE', '/v1/tasks/last');
    const first = await service.call('GET', '/v1/tasks');
    expect(first).toMatchObject({ status: 200, body: { tasks: [], next: expect.any(String) } });
    const found: string[] = [];
    for (let next = first.body.next; next !== undefined;) {
      const page: Reply = await service.call('GET', `/v1/tasks?next=${encodeURIComponent(next)}`);
      found.push(...page.body.tasks.map(({ id }) => id));
      ({ next } = page.body);
    }
    expect(found).toEqual(['last']);
  });
});

describe('room', () => {
  test('is used to the last byte, and not beyond', () => {
    const own = escapedBytes('{"a":""}') + 1;
    const room = answerRoom(10_000 + 3 * own);
    expect([1, 2, 3, 4].map(() => room.take({ a: '' }))).toEqual([true, true, true, false]);
    const less = answerRoom(10_000 + 3 * own - 1);
    expect([1, 2, 3].map(() => less.take({ a: '' }))).toEqual([true, true, false]);
    expect(answerRoom(0).take({ a: 'the first always fits' })).toBe(true);
  });
});

describe('a request', () => {
  const refused = { status: 413, body: { field: 'body' } };
  test.each([
    ['blanks', ' ', 1],
    ['quotes', '"', 2],
    ['line feeds', '\n', 2],
    ['letters of two bytes', 'ä', 2],
  ])('of %s: as many bytes as it has within the event', async (_, sign, bytes) => {
    const service = aService();
    const most = MAX_BODY_BYTES / bytes;
    const call = (length: number) => service.call('POST', '/v1/tasks', undefined, { text: sign.repeat(length) });
    expect(await call(most)).toMatchObject({ status: 400 });
    expect(await call(most + 1)).toMatchObject(refused);
  });
});
