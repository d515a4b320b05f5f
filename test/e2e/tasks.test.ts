import { afterAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { listAnswer } from '../../functions/api/schemas/answers.ts';
import { ODD } from './api.ts';
import type { Reply } from './api.ts';
import { connect } from './service.ts';
import { until } from './until.ts';

const service = connect();
const { api } = service;
const queue = service.queue();

afterAll(() => service.leave());

/** A wait that nothing ends. */
const waiting = (more: object = {}) => ({
  queue,
  sensor: { type: 'datetime', at: '2100-01-01T00:00:00Z' },
  timeout: 86_400,
  ...more,
});

describe('reading', () => {
  test('an id in a path is found, as it is and encoded', async () => {
    const { id } = await api.submit(waiting({ id: `${service.unique('path')}${ODD}` }));
    for (const sent of [id, encodeURIComponent(id), encodeURIComponent(id).toLowerCase()]) {
      expect(await api.call('GET', `/v1/tasks/${sent}`)).toMatchObject({ status: 200, body: { id } });
      expect(await api.call('GET', `/v1/tasks/${sent}/explain`)).toMatchObject({ status: 200, body: { id } });
    }
  });

  test('an ETag that is still right is answered 304, until the task changes', async () => {
    const { id } = await api.submit(waiting());
    const read = (tag: string) => api.call('GET', `/v1/tasks/${id}`, undefined, { headers: { 'If-None-Match': tag } });
    const first = await api.call('GET', `/v1/tasks/${id}`);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"\d+"$/);
    for (const same of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const reply = await read(same);
      expect(reply).toMatchObject({ status: 304, text: '' });
      expect(reply.headers.get('etag')).toBe(tag);
    }
    expect(await read('"x"')).toMatchObject({ status: 200, body: first.body as object });
    await api.call('POST', `/v1/tasks/${id}/mark`, { state: 'skipped' });
    const changed = await read(tag);
    expect(changed).toMatchObject({ status: 200, body: { state: 'skipped' } });
    expect(changed.headers.get('etag')).not.toBe(tag);
  });

  test('explain says when the next poke is, ready waits for the end', async () => {
    const { id, deadline, hashcode } = await api.submit(waiting({ queue: service.queue() }));
    expect(await api.call('GET', `/v1/tasks/${id}/explain`)).toMatchObject({
      status: 200,
      body: {
        id,
        state: 'sensing',
        summary: expect.stringContaining(deadline),
        deadline,
        // Long before its date: only `now > deadline` ends the wait.
        next_poke: new Date(Date.parse(deadline) + 1).toISOString(),
        target: { hashcode, tasks: 1, more: false },
      },
    });
    expect(await api.call('GET', `/v1/tasks/${id}/ready`)).toMatchObject({
      status: 404,
      body: { id, state: 'sensing' },
    });
    await api.call('POST', `/v1/tasks/${id}/mark`, { state: 'failed' });
    expect(await api.call('GET', `/v1/tasks/${id}/ready`)).toMatchObject({
      status: 200,
      body: { id, state: 'failed' },
    });
    expect(await api.call('GET', `/v1/tasks/${id}/explain`)).toMatchObject({
      status: 200,
      body: { state: 'failed', summary: 'It has ended: failed (marked failed).' },
    });
  });
});

describe('listing', () => {
  const own = service.queue();
  const list = (query: string): Promise<Reply> => api.call('GET', `/v1/tasks?${query}`);

  test('every task on one page only, state by state; a token is of its listing alone and cannot be made up', async () => {
    const tasks = await api.submitAll(Array.from({ length: 5 }, () => waiting({ queue: own })));
    for (const { id } of tasks.slice(3)) await api.call('POST', `/v1/tasks/${id}/mark`, { state: 'success' });

    const pages: string[][] = [];
    const tokens: string[] = [];
    let next: string | undefined;
    do {
      const query = new URLSearchParams({ queue: own, limit: '2', ...(next === undefined ? {} : { next }) });
      const page = listAnswer.parse((await list(query.toString())).body);
      pages.push(page.tasks.map(({ id }) => id));
      ({ next } = page);
      if (next !== undefined) tokens.push(next);
    } while (next !== undefined);
    expect(pages.every((page) => page.length <= 2)).toBe(true);
    expect(pages.flat().toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());

    const ended = listAnswer.parse((await list(`queue=${own}&state=success`)).body);
    // Newest first.
    expect(ended.tasks.map(({ id }) => id)).toEqual([tasks[4]!.id, tasks[3]!.id]);
    expect((await list(`queue=${service.unique('nobody')}`)).body).toEqual({ tasks: [] });

    const [token = ''] = tokens;
    const [place = '', signature = ''] = token.split('.');
    const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    const elsewhere = JSON.parse(Buffer.from(place, 'base64url').toString()) as object;
    const madeUp = Buffer.from(JSON.stringify({ ...elsewhere, queue: 'default' })).toString('base64url');
    for (const [query, bad] of [
      [`queue=${own}`, `${flipped(place)}.${signature}`],
      [`queue=${own}`, `${place}.${flipped(signature)}`],
      ['queue=default', `${madeUp}.${signature}`],
      ['queue=default', token],
      [`queue=${own}&state=success`, token],
      [`queue=${own}`, place],
      [`queue=${own}`, `${token}.`],
      [`queue=${own}`, 'nonsense'],
      [`queue=${own}`, ''],
    ] as const) {
      const reply = await list(`${query}&limit=2&next=${bad}`);
      expect(reply).toMatchObject({ status: 422, body: { status: 422, field: 'next' } });
    }
    expect(await list(`queue=${own}&limit=2&next=${token}`)).toMatchObject({ status: 200 });
  });
});

describe('changing', () => {
  test('a mark ends the wait, a clear begins it anew, a removal is for good until a clear', async () => {
    const { id } = await api.submit(waiting({ retries: 2 }));
    const marked = await api.call('POST', `/v1/tasks/${id}/mark`, { state: 'success' });
    expect(marked).toMatchObject({
      status: 200,
      body: { id, state: 'success', try_number: 1, reason: 'marked success' },
    });
    expect(await api.call('POST', `/v1/tasks/${id}/mark`, { state: 'success' })).toMatchObject({
      status: 200,
      body: marked.body as object,
    });

    const cleared = z.object({ started_at: z.string(), deadline: z.string() });
    const reply = await api.call('POST', `/v1/tasks/${id}/clear`);
    expect(reply).toMatchObject({ status: 200, body: { state: 'sensing', try_number: 2, max_tries: 3 } });
    expect(reply.body).not.toHaveProperty('ended_at');
    const { started_at, deadline } = cleared.parse(reply.body);
    expect(Date.parse(deadline) - Date.parse(started_at)).toBe(86_400_000);

    expect(await api.call('DELETE', `/v1/tasks/${id}`)).toMatchObject({ status: 200, body: { state: 'removed' } });
    expect(await api.call('DELETE', `/v1/tasks/${id}`)).toMatchObject({ status: 200, body: { state: 'removed' } });
    expect(await api.call('GET', `/v1/tasks/${id}/ready`)).toMatchObject({ status: 200, body: { state: 'removed' } });
    const { history } = await api.task(id);
    expect(history.map(({ from, to, try_number }) => `${from} ${to} ${try_number}`)).toEqual([
      'none sensing 1',
      'sensing success 1',
      'success sensing 2',
      'sensing removed 2',
    ]);
    expect(history.every(({ by }) => by.startsWith('user:'))).toBe(true);
  });

  test('a task that is cleared waits again in a new try, and succeeds again', async () => {
    const at = new Date(Date.now() - 1_000).toISOString();
    const { id } = await api.submit(waiting({ queue: service.queue(), sensor: { type: 'datetime', at } }));
    const ends = (n: number) => () =>
      until(
        () => api.task(id),
        (task) => task.state === 'success' && task.try_number === n,
      );
    await ends(1)();
    await api.call('POST', `/v1/tasks/${id}/clear`);
    // A target has one first poke in 30 s at most: this time it takes a tick.
    const again = await service.tickUntil(
      () => api.task(id),
      ({ state }) => state === 'success',
    );
    expect(again).toMatchObject({ try_number: 2, max_tries: 1 });
  });

  test('marks at once: each finds the state that the one before left', async () => {
    const { id } = await api.submit(waiting());
    const states = ['success', 'failed', 'skipped'];
    const marks = Array.from({ length: 9 }, (_, n) =>
      api.call('POST', `/v1/tasks/${id}/mark`, { state: states[n % 3] }),
    );
    const statuses = new Set((await Promise.all(marks)).map(({ status }) => status));
    expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true);
    const { history, state } = await api.task(id);
    expect(history.at(-1)?.to).toBe(state);
    // Each transition once, from the state before it.
    history.slice(1).forEach((entry, index) => expect(entry.from).toBe(history[index]?.to));
  });

  test('what does not exist cannot be changed or read', async () => {
    const requests = [
      ['GET', ''],
      ['GET', '/explain'],
      ['GET', '/ready'],
      ['POST', '/clear'],
      ['POST', '/mark', { state: 'success' }],
      ['DELETE', ''],
    ] as const;
    for (const [method, end, body] of requests) {
      const reply = await api.call(method, `/v1/tasks/${service.unique('none')}${end}`, body);
      expect(reply).toMatchObject({ status: 404, body: { title: 'Not Found', status: 404 } });
    }
  });
});
