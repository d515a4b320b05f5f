import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cut } from '../../client/submit.ts';
import { escapedBytes, MAX_BODY_BYTES } from '../../functions/payload.ts';
import { aBench, answer, busy, lostAnswer, unreachable } from './setup.ts';

const SENSOR = { type: 'datetime', at: '2100-01-01T00:00:00Z' } as const;
const tasks = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `t${n}`, sensor: SENSOR }));

describe('submitMany', () => {
  test('a result for each, in order; a bad one stops none', async () => {
    const { client } = aBench();
    const [first, , third] = tasks(3);
    const bad = { id: 'bad', sensor: SENSOR, retries: -1 };
    const results = await client.submitMany([first!, bad, third!, { ...first!, retries: 1 }, { sensor: SENSOR }]);
    expect(results).toMatchObject([
      { ok: true, id: 't0', task: { state: 'sensing' } },
      { ok: false, id: 'bad', error: { status: 422, field: 'retries' } },
      { ok: true, id: 't2' },
      { ok: false, id: 't0', error: { status: 409, field: 'id' } },
      { ok: true, id: 'made-1' },
    ]);
  });

  test('of which none is taken: the same', async () => {
    const { client, sent } = aBench();
    const results = await client.submitMany([
      { id: 'a', sensor: SENSOR, retries: -1 },
      { id: 'b', sensor: SENSOR, timeout: 0 },
    ]);
    expect(results).toMatchObject([
      { ok: false, id: 'a', error: { status: 422, field: 'retries' } },
      { ok: false, id: 'b', error: { status: 422, field: 'timeout' } },
    ]);
    expect(sent).toHaveLength(1);
  });

  test('a task that no call takes is refused by itself', async () => {
    const { client } = aBench();
    const [first, second] = tasks(2);
    const results = await client.submitMany([first!, { id: 'long', sensor: SENSOR, dag_id: 'x'.repeat(5e6) }, second!]);
    expect(results).toMatchObject([
      { ok: true, id: 't0' },
      { ok: false, id: 'long', error: { status: 413, field: 'body' } },
      { ok: true, id: 't1' },
    ]);
  });

  test('what stands but has no room in the answer is asked for again', async () => {
    const { client, faults, sent } = aBench();
    const [first] = await client.submitMany(tasks(1));
    const task = first?.ok === true ? first.task : undefined;
    faults.push(
      answer(201, {
        results: [
          { id: 't0', status: 201, task },
          { id: 't1', status: 201 },
        ],
      }),
    );
    expect(await client.submitMany(tasks(2))).toMatchObject([
      { ok: true, id: 't0' },
      { ok: true, id: 't1', task: { id: 't1' } },
    ]);
    expect(sent.map(({ text }) => text?.match(/t\d/g))).toEqual([['t0'], ['t0', 't1'], ['t1']]);
    faults.push(answer(201, { results: [{ id: 't0', status: 201 }] }));
    await expect(client.submitMany(tasks(1))).rejects.toThrow('shows none of the tasks');
  });

  test('nothing: no call', async () => {
    const { client, sent } = aBench();
    expect(await client.submitMany([])).toEqual([]);
    expect(sent).toEqual([]);
  });

  test('1,001 tasks are three calls', async () => {
    const { client, sent } = aBench();
    const results = await client.submitMany(tasks(1_001));
    expect(results.map(({ ok, id }) => `${id} ${ok}`)).toEqual(tasks(1_001).map(({ id }) => `${id} true`));
    expect(sent).toHaveLength(3);
  });

  test('a lost answer and a busy service: the call again, and each task stands once', async () => {
    const { client, sent, faults, service } = aBench();
    faults.push(lostAnswer, busy, unreachable);
    expect((await client.submitMany(tasks(3))).every(({ ok }) => ok)).toBe(true);
    expect(sent).toHaveLength(4);
    expect((await service.task('t1')).history).toHaveLength(1);
  });

  test('what the service was too busy for is submitted again, and that alone', async () => {
    const { client, sent, faults, pauses } = aBench();
    const [first] = await client.submitMany(tasks(1));
    const task = first?.ok === true ? first.task : undefined;
    const problem = { title: 'Service Unavailable', status: 503, detail: 'busy' };
    const results = [
      { id: 't0', status: 201, task },
      { id: 't1', status: 503, problem },
      { id: 't2', status: 422, problem: { ...problem, status: 422, field: 'retries' } },
    ];
    faults.push(answer(201, { results }));
    expect(await client.submitMany(tasks(3))).toMatchObject([
      { ok: true, id: 't0' },
      { ok: true, id: 't1' },
      { ok: false, id: 't2', error: { field: 'retries' } },
    ]);
    expect(sent.map(({ text }) => text?.match(/t\d/g))).toEqual([['t0'], ['t0', 't1', 't2'], ['t1']]);
    expect(pauses).toEqual([100]);
  });

  test('a queue that stays full: its tasks have the problem, the others stand', async () => {
    const { client, sent } = aBench();
    await client.setQueue('full', { max_active_tasks: 1 });
    const results = await client.submitMany(
      tasks(3).map((task, n) => ({ ...task, queue: n === 2 ? 'other' : 'full' })),
    );
    expect(results).toMatchObject([
      { ok: true },
      { ok: false, id: 't1', error: { status: 429, field: 'queue' } },
      { ok: true },
    ]);
    expect(sent).toHaveLength(1 + 5);
  });

  test('a part that nobody answers rejects', async () => {
    const { client, faults } = aBench();
    faults.push(...Array.from({ length: 5 }, () => unreachable));
    await expect(client.submitMany(tasks(2))).rejects.toThrow(
      'POST /v1/tasks has no answer: ECONNREFUSED (after 5 tries)',
    );
  });

  test.each([{ results: [] }, { results: [{ status: 201 }] }, { tasks: [] }, []])(
    '%j is no answer to two',
    async (body) => {
      const { client, faults } = aBench();
      faults.push(answer(201, body));
      await expect(client.submitMany(tasks(2))).rejects.toThrow('a submit');
    },
  );
});

describe('cutting', () => {
  test('every task once, in order; no part over 500 tasks or the bytes that a call takes, unless one task is', () => {
    const size = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 100_000, max: 2_500_000 }));
    fc.assert(
      fc.property(fc.array(size, { maxLength: 12 }), (sizes) => {
        const all = sizes.map((length, n) => ({ n, text: (n % 2 === 0 ? 'ä' : '"').repeat(length) }));
        const parts = cut(all);
        expect(parts.flat()).toEqual(all);
        for (const part of parts) {
          const bytes = escapedBytes(JSON.stringify({ tasks: part }));
          expect(part.length === 1 || bytes <= MAX_BODY_BYTES).toBe(true);
        }
        // A part is full: the next task would not have fitted.
        expect(parts.every((part, at) => at === 0 || part.length > 0)).toBe(true);
      }),
      { numRuns: 20 },
    );
    expect(cut(Array.from({ length: 1_000 }, () => ({}))).map(({ length }) => length)).toEqual([500, 500]);
  });

  test('a part that is full to its last byte is sent whole, and taken; with one byte more it is two', async () => {
    const one = { id: 't0', sensor: SENSOR };
    const frame = escapedBytes(JSON.stringify({ tasks: [one, { id: 't1', pad: '' }] }));
    // The cut allows for a frame that is a little longer than it is.
    const room = MAX_BODY_BYTES - frame - 64 + escapedBytes('{"tasks":[]}') - 1;
    const filled = (bytes: number) => [one, { id: 't1', pad: 'x'.repeat(bytes) }];
    expect(cut(filled(room)).map(({ length }) => length)).toEqual([2]);
    expect(cut(filled(room + 1)).map(({ length }) => length)).toEqual([1, 1]);
    const { service } = aBench();
    expect(await service.call('POST', '/v1/tasks', { tasks: filled(room) })).toMatchObject({ status: 201 });
  });
});
