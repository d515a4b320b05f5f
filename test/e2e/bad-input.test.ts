import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from './service.ts';

const service = connect();
const { api } = service;

let before: readonly string[];

beforeAll(async () => {
  before = await service.table.keys();
});

afterAll(() => service.leave());

const SENSOR = { type: 's3_key', bucket: 'landing', key: 'in/a.csv' };
const task = (fields: object) => ({ sensor: SENSOR, ...fields });
const s3 = (fields: object) => ({ sensor: { ...SENSOR, ...fields } });
const emr = (fields: object) => ({ sensor: { type: 'emr_step', job_flow_id: 'j-1', step_id: 's-1', ...fields } });

/** What is wrong, the field that the answer names, and the body. */
const SUBMITS: readonly (readonly [string, string, unknown])[] = [
  ['a text for a body', 'body', 'text'],
  ['a list for a body', 'body', [task({})]],
  ['null for a body', 'body', null],
  ['no sensor', 'sensor', {}],
  ['a sensor that is a text', 'sensor', { sensor: 's3_key' }],
  ['an unknown sensor', 'sensor.type', { sensor: { type: 'ftp', path: '/' } }],
  ['a sensor with the name of a method', 'sensor.type', { sensor: { type: 'toString' } }],
  ['a sensor without its key', 'sensor.key', { sensor: { type: 's3_key', bucket: 'landing' } }],
  ['a key of 1,025 bytes', 'sensor.key', s3({ key: 'k'.repeat(1_025) })],
  ['a key of 1,026 bytes in 342 characters', 'sensor.key', s3({ key: '€'.repeat(342) })],
  ['a key with a control character', 'sensor.key', s3({ key: 'a\u0000b' })],
  ['a key with half a character', 'sensor.key', s3({ key: 'a\udc00' })],
  ['a key of the wrong type', 'sensor.key', s3({ key: 5 })],
  ['a list of keys with one of the wrong type', 'sensor.key[1]', s3({ key: ['a', {}] })],
  ['an unknown field of the sensor', 'sensor.keys', s3({ keys: ['a'] })],
  ['a step id of the wrong type', 'sensor.step_id', emr({ step_id: 7 })],
  ['a step state that is none', 'sensor.target_states[0]', emr({ target_states: ['DONE'] })],
  ['a date that is none', 'sensor.at', { sensor: { type: 'datetime', at: 'tomorrow' } }],
  ['an unknown field', 'priority', task({ priority: 1 })],
  ['a field of the inside', 'rev', task({ rev: 1 })],
  ['an id with the separator of tries', 'id', task({ id: 'a~1' })],
  ['an id of 251 characters', 'id', task({ id: 'x'.repeat(251) })],
  ['a queue with the separator of keys', 'queue', task({ queue: 'a#b' })],
  ['a mode that is none', 'mode', task({ mode: 'fast' })],
  ['retries as a text', 'retries', task({ retries: '3' })],
  ['retries that are half', 'retries', task({ retries: 0.5 })],
  ['1e300 retries', 'retries', task({ retries: 1e300 })],
  ['a timeout of 1e300', 'timeout', task({ timeout: 1e300 })],
  ['a negative timeout', 'timeout', task({ timeout: -1 })],
  ['an interval of nothing', 'poke_interval', task({ poke_interval: null })],
  ['an interval of 8 days', 'poke_interval', task({ poke_interval: 'P8D' })],
  ['a delay without end', 'retry_delay', task({ retry_delay: `PT${'9'.repeat(500)}S` })],
  ['a flag as a text', 'soft_fail', task({ soft_fail: 'true' })],
  ['two flags that exclude each other', 'never_fail', task({ soft_fail: true, never_fail: true })],
  ['a map_index of 2^53', 'map_index', task({ map_index: 2 ** 53 })],
  ['a date without an offset', 'logical_date', task({ logical_date: '2024-01-01' })],
  ['tags that are a list', 'tags', task({ tags: ['a'] })],
  ['a tag that is a number', 'tags.a', task({ tags: { a: 1 } })],
  ['a tag with an escape sequence', 'tags.a', task({ tags: { a: '\u001b[2J' } })],
  ['a tag with an escape sequence for a name', 'tags.\\u001b', task({ tags: { '\u001b': 'a' } })],
  ['no tasks', 'tasks', { tasks: [] }],
  ['501 tasks', 'tasks', { tasks: Array.from({ length: 501 }, () => task({})) }],
  ['tasks that are none', 'tasks', { tasks: 'all' }],
  ['a batch of nothing but bad tasks', 'tasks[0].retries', { tasks: [task({ retries: -1 }), task({ id: '' })] }],
];

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** Bodies as texts: what the door makes of it, and the field. */
const TEXTS: readonly (readonly [string, number, string, string])[] = [
  ['no body', 400, 'body', ''],
  ['no JSON', 400, 'body', 'sensor=s3_key'],
  ['half a JSON', 400, 'body', '{"sensor":{"type":'],
  ['a NUL', 400, 'body', '\u0000'],
  ['lists within lists', 422, '[0][0][0]', deep(100_000)],
  ['a deep value', 422, 'tags[0][0]', `{"sensor":{"type":"external"},"tags":${deep(5_000)}}`],
  ['a deep sensor', 422, 'sensor.watches.watches', `{"sensor":${'{"watches":'.repeat(5_000)}1${'}'.repeat(5_000)}}`],
  ['a number beyond all numbers', 422, 'timeout', '{"sensor":{"type":"external"},"timeout":1e999}'],
  ['a number of 400 digits', 422, 'retries', `{"sensor":{"type":"external"},"retries":${'9'.repeat(400)}}`],
  ['a prototype', 422, '__proto__', '{"sensor":{"type":"external"},"__proto__":{"id":"x"}}'],
  ['a control character that is escaped', 422, 'dag_id', '{"sensor":{"type":"external"},"dag_id":"a\\u0085"}'],
  ['more than 5 MB', 413, 'body', ' '.repeat(5_000_001)],
  ['more than 5 MB as Lambda has it', 413, 'body', '"'.repeat(2_500_001)],
];

describe('a bad submit: 4xx with the field named', () => {
  test.each(SUBMITS)('%s: %s', async (_, field, body) => {
    const reply = await api.call('POST', '/v1/tasks', body);
    expect(reply).toMatchObject({ status: 422, body: { status: 422, title: 'Unprocessable Content', field } });
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
  });

  test.each(TEXTS)('%s: %i', async (_, status, field, text) => {
    const reply = await api.call('POST', '/v1/tasks', undefined, { text });
    expect(reply).toMatchObject({ status, body: { status, field } });
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
  });
});

describe('a bad query or path', () => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1e9', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['state=done', 'state'],
    ['queue=a%23b', 'queue'],
    ['queue=', 'queue'],
    ['queue=a%00', 'queue'],
    ['next=x.y', 'next'],
    ['order=asc', 'order'],
  ])('GET /v1/tasks?%s names %s', async (query, field) => {
    expect(await api.call('GET', `/v1/tasks?${query}`)).toMatchObject({ status: 422, body: { status: 422, field } });
  });

  test.each([
    ['GET', '/v1/tasks/%zz', 'id'],
    ['PATCH', '/execution/task-instances/a%25~1%zz/run', 'id'],
    ['PUT', '/v1/queues/%zz', 'name'],
  ])('%s %s: 400 names %s', async (method, path, field) => {
    expect(await api.call(method, path)).toMatchObject({ status: 400, body: { status: 400, field } });
  });

  test('paths that name no task', async () => {
    const long = ['x'.repeat(251), 'x'.repeat(3_000)];
    const odd = ['a%20b', 'a%00b', 'a~1', '%C3%A9', '%25', '%', '%FF%FE', '%2E%2E', 'TASK%23none', '__proto__'];
    for (const id of ['none', ...odd, ...long]) {
      for (const end of ['', '/explain', '/ready']) {
        const { status } = await api.call('GET', `/v1/tasks/${id}${end}`);
        expect({ id, end, refused: [400, 403, 404, 414].includes(status) }).toEqual({ id, end, refused: true });
      }
    }
  });

  test.each([
    ['GET', '/v1/nothing'],
    ['PUT', '/v1/tasks'],
    ['POST', '/v1/tasks/none/restart'],
    ['GET', '/execution/task-instances/none/run'],
    ['GET', '/'],
  ])('%s %s is no route', async (method, path) => {
    const { status } = await api.call(method, path);
    expect([403, 404, 405]).toContain(status);
  });
});

test('without a signature nobody gets in: 403', async () => {
  const requests = [
    ['POST', '/v1/tasks', task({})],
    ['GET', '/v1/tasks'],
    ['GET', '/v1/tasks/none'],
    ['DELETE', '/v1/tasks/none'],
    ['PATCH', '/execution/task-instances/none/run', { hostname: 'h', unixname: 'u', pid: 1 }],
  ] as const;
  for (const [method, path, body] of requests) {
    expect(await api.call(method, path, body, { signed: false })).toMatchObject({
      status: 403,
      body: { message: 'Missing Authentication Token' },
    });
  }
});

test('whatever was sent: not a task, target or queue more than there was', async () => {
  expect(await service.table.keys()).toEqual(before);
});
