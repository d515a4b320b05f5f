import { describe, expect, test } from '@jest/globals';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import { aService, SENSOR } from './service.ts';

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
const withSensor = (fields: object) => ({ sensor: SENSOR, ...fields });
const s3 = (fields: object) => ({ sensor: { ...SENSOR, ...fields } });

/** What, status, field, body. */
const STEP = { type: 'emr_step', job_flow_id: 'j-1', step_id: 's-1' };

const DOORS: [string, number, string, unknown][] = [
  ['a text', 422, 'body', 'text'],
  ['a number', 422, 'body', 5],
  ['null', 422, 'body', null],
  ['a list', 422, 'body', [withSensor({})]],
  ['no sensor', 422, 'sensor', {}],
  ['a sensor that is a text', 422, 'sensor', { sensor: 's3_key' }],
  ['a sensor that is null', 422, 'sensor', { sensor: null }],
  ['a sensor without a type', 422, 'sensor.type', { sensor: { bucket: 'b', key: 'k' } }],
  ['an unknown sensor', 422, 'sensor.type', { sensor: { type: 'ftp' } }],
  ['a sensor named like a method', 422, 'sensor.type', { sensor: { type: 'constructor' } }],
  ['an unknown field', 422, 'foo', withSensor({ foo: 1 })],
  ['an unknown field of the sensor', 422, 'sensor.foo', s3({ foo: 1 })],
  ['case 27: a function as a text', 422, 'check_fn', withSensor({ check_fn: 'lambda: True' })],
  ['a key of 1,025 bytes', 422, 'sensor.key', s3({ key: 'k'.repeat(1025) })],
  ['a key of 513 characters of 2 bytes', 422, 'sensor.key', s3({ key: 'é'.repeat(513) })],
  ['a key with a control character', 422, 'sensor.key', s3({ key: 'a\u0000b' })],
  ['a key with half a character', 422, 'sensor.key', s3({ key: 'a\ud800' })],
  ['no key', 422, 'sensor.key', { sensor: { type: 's3_key', bucket: 'landing' } }],
  ['N008: a list in a list of keys', 422, 'sensor.key[0]', s3({ key: [['a', 'b']] })],
  ['N009: a URL and a bucket, though both say the same', 422, 'sensor.key', s3({ key: 's3://landing/x' })],
  ['N009: a key without a bucket', 422, 'sensor.bucket', { sensor: { type: 's3_key', key: 'x/y' } }],
  ['an id with a space', 422, 'id', withSensor({ id: 'a b' })],
  ['an id with a line feed', 422, 'id', withSensor({ id: 'a\n' })],
  ['an id with ~, the separator of tries', 422, 'id', withSensor({ id: 'a~1' })],
  ['an empty id', 422, 'id', withSensor({ id: '' })],
  ['N027: an id that is .', 422, 'id', withSensor({ id: '.' })],
  ['N027: an id that is ..', 422, 'id', withSensor({ id: '..' })],
  ['N027: a queue that is ..', 422, 'queue', withSensor({ queue: '..' })],
  ['an id of 251 characters', 422, 'id', withSensor({ id: 'x'.repeat(251) })],
  ['an id that is a number', 422, 'id', withSensor({ id: 5 })],
  ['a queue with #, the separator of keys', 422, 'queue', withSensor({ queue: 'a#b' })],
  ['a queue of 65 characters', 422, 'queue', withSensor({ queue: 'q'.repeat(65) })],
  ['a mode that is none', 422, 'mode', withSensor({ mode: 'fast' })],
  ['cancel_on_kill that is a text', 422, 'cancel_on_kill', withSensor({ cancel_on_kill: 'true' })],
  ['an interval of 0', 422, 'poke_interval', withSensor({ poke_interval: 0 })],
  ['an interval of half a second', 422, 'poke_interval', withSensor({ poke_interval: 'PT0.5S' })],
  ['an interval above a week', 422, 'poke_interval', withSensor({ poke_interval: 604_801 })],
  ['an interval of 8 days', 422, 'poke_interval', withSensor({ poke_interval: 'P8D' })],
  ['an interval of a month', 422, 'poke_interval', withSensor({ poke_interval: 'P1M' })],
  ['an interval of digits', 422, 'poke_interval', withSensor({ poke_interval: '60' })],
  ['an interval that is true', 422, 'poke_interval', withSensor({ poke_interval: true })],
  ['an interval that is null', 422, 'poke_interval', withSensor({ poke_interval: null })],
  ['a negative timeout', 422, 'timeout', withSensor({ timeout: -1 })],
  ['a timeout of 0', 422, 'timeout', withSensor({ timeout: 0 })],
  ['a timeout above a year', 422, 'timeout', withSensor({ timeout: 31_536_001 })],
  ['a timeout of 1e300', 422, 'timeout', withSensor({ timeout: 1e300 })],
  ['a text of digits without end', 422, 'timeout', withSensor({ timeout: `PT${'9'.repeat(1000)}S` })],
  ['half a retry', 422, 'retries', withSensor({ retries: 1.5 })],
  ['a negative number of retries', 422, 'retries', withSensor({ retries: -1 })],
  ['1e300 retries', 422, 'retries', withSensor({ retries: 1e300 })],
  ['retries as text', 422, 'retries', withSensor({ retries: '3' })],
  ['a factor below 1', 422, 'retry_exponential_backoff', withSensor({ retry_exponential_backoff: 0.5 })],
  ['a factor as text', 422, 'retry_exponential_backoff', withSensor({ retry_exponential_backoff: 'yes' })],
  ['a flag as text', 422, 'soft_fail', withSensor({ soft_fail: 'true' })],
  ['case 66: soft_fail and never_fail', 422, 'never_fail', withSensor({ soft_fail: true, never_fail: true })],
  ['a map_index of 2^31', 422, 'map_index', withSensor({ map_index: 2 ** 31 })],
  ['a date without an offset', 422, 'logical_date', withSensor({ logical_date: '2024-01-01T00:00:00' })],
  ['February 30th', 422, 'logical_date', withSensor({ logical_date: '2024-02-30T00:00:00Z' })],
  ['a dag_id of 251 characters', 422, 'dag_id', withSensor({ dag_id: 'd'.repeat(251) })],
  ['a tag that is a number', 422, 'tags.a', withSensor({ tags: { a: 1 } })],
  ['51 tags', 422, 'tags', withSensor({ tags: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, ''])) })],
  ['a tag with a control character', 422, 'tags.a', withSensor({ tags: { a: '\u001b[31m' } })],
  ['a deep list', 422, 'tags[0][0]', withSensor({ tags: nested(1000) })],
  ['a deep sensor', 422, 'sensor.key[0]', s3({ key: nested(1000) })],
  ['no tasks', 422, 'tasks', { tasks: [] }],
  ['501 tasks', 422, 'tasks', { tasks: Array.from({ length: 501 }, () => withSensor({})) }],
  ['tasks that are no list', 422, 'tasks', { tasks: withSensor({}) }],
  ['an unknown field beside tasks', 422, 'queue', { tasks: [withSensor({})], queue: 'q' }],
  ['a batch of bad tasks alone', 422, 'tasks[0].id', { tasks: [withSensor({ id: '?' }), withSensor({ retries: -1 })] }],
  ['a bucket that is not opened', 403, 'sensor', s3({ bucket: 'payroll' })],
  [
    'a bucket that is not opened, watched',
    403,
    'sensor',
    { sensor: { type: 'external', watches: { ...SENSOR, bucket: 'payroll' } } },
  ],
  [
    'cancel_on_kill where the operator lets nobody cancel',
    403,
    'cancel_on_kill',
    { sensor: { type: 'external', watches: STEP }, cancel_on_kill: true },
  ],
  ['a batch of closed buckets alone', 403, 'tasks[0].sensor', { tasks: [s3({ bucket: 'payroll' })] }],
];

const OPEN = ['arn:aws:s3:::landing/*', 'arn:aws:elasticmapreduce:*:*:cluster/j-1'];

describe('bad input is refused with the field named, and nothing is written', () => {
  test.each(DOORS)('%s: %i %s', async (_, status, field, body) => {
    const service = aService({ opened: { ...ALL_OPEN, allow: OPEN } });
    const reply = await service.call('POST', '/v1/tasks', body);
    expect(reply.body).toMatchObject({ status, field });
    expect(reply.status).toBe(status);
    expect(reply.body.detail).not.toMatch(/undefined|Invalid input|\[object/);
    expect(reply.headers['Content-Type']).toBe('application/problem+json');
    expect(service.changes).toEqual([]);
    expect(service.logged).toEqual([]);
  });

  test.each([
    ['', 400],
    ['{', 400],
    ['not json', 400],
    ['{"sensor":', 400],
    ['{"a":1}}', 400],
    ['\u0000', 400],
    ['{"timeout":1e999,"sensor":{"type":"datetime","at":"2030-01-01T00:00:00Z"}}', 422],
    ['{"retries":99999999999999999999,"sensor":{"type":"datetime","at":"2030-01-01T00:00:00Z"}}', 422],
    ['['.repeat(1_000_000), 400],
    [`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, 422],
    [`${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}`, 422],
    [`{"tasks":[${'['.repeat(500_000)}${']'.repeat(500_000)}]}`, 422],
    [' '.repeat(5_000_001), 413],
    ['é'.repeat(2_500_001), 413],
    ['"'.repeat(2_500_001), 413],
  ])('the text %.30s: %i', async (text, status) => {
    const service = aService();
    for (const base64 of [false, true]) {
      const sent = base64 ? Buffer.from(text).toString('base64') : text;
      const reply = await service.call('POST', '/v1/tasks', undefined, { text: sent, base64 });
      expect(reply).toMatchObject({ status, body: { status } });
      expect(reply.body).toHaveProperty('field');
    }
    expect(service.changes).toEqual([]);
  });

  test('names that would reach a prototype are unknown fields, and reach none', async () => {
    const service = aService();
    for (const text of [
      '{"sensor":{"type":"external"},"__proto__":{"polluted":true}}',
      '{"sensor":{"type":"external","__proto__":{"polluted":true}}}',
      '{"sensor":{"type":"external"},"tags":{"__proto__":"x"}}',
      '{"sensor":{"type":"external"},"constructor":{"prototype":{"polluted":true}}}',
      '{"tasks":[{"sensor":{"type":"external"},"__proto__":{"id":"x"}}]}',
      '{"tasks":[{"sensor":{"type":"external"}}],"__proto__":{"id":"x"}}',
    ]) {
      const reply = await service.call('POST', '/v1/tasks', undefined, { text });
      expect(reply).toMatchObject({ status: 422 });
      expect(reply.body.field).toMatch(/__proto__|constructor/);
    }
    expect({}).not.toHaveProperty('polluted');
    expect(service.changes).toEqual([]);
  });

  test('a tag may be called as an object calls its own', async () => {
    const service = aService();
    const tags = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' };
    const task = await service.submit({ id: 'a', tags });
    expect(task.tags).toEqual(tags);
    expect(await service.call('POST', '/v1/tasks', { id: 'a', sensor: SENSOR, tags })).toMatchObject({ status: 201 });
  });

  test('everything that is wrong is listed, up to 20 things', async () => {
    const service = aService();
    const bad = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}`, n]));
    const two = await service.call('POST', '/v1/tasks', { sensor: SENSOR, retries: -1, soft_fail: 1 });
    expect(two.body.errors).toEqual([
      { field: 'retries', detail: 'must be at least 0' },
      { field: 'soft_fail', detail: 'must be true or false' },
    ]);
    const many = await service.call('POST', '/v1/tasks', { sensor: SENSOR, ...bad });
    expect(many.body.errors).toHaveLength(20);
  });
});

describe('other doors', () => {
  test.each<readonly [string, string, number, ('id' | 'name')?]>([
    ['GET', '/v1/tasks/none', 404],
    ['GET', '/v1/tasks/a%20b', 404],
    ['GET', `/v1/tasks/${'x'.repeat(251)}`, 404],
    ['GET', '/v1/tasks/a~1', 404],
    ['GET', '/v1/tasks/none/explain', 404],
    ['GET', '/v1/tasks/none/ready', 404],
    ['POST', '/v1/tasks/none/clear', 404],
    ['DELETE', '/v1/tasks/none', 404],
    // Path parameters come as they were sent, and are decoded once.
    ['GET', '/v1/tasks/%zz', 400, 'id'],
    ['GET', '/v1/tasks/%ff', 400, 'id'],
    ['GET', '/v1/tasks/%', 400, 'id'],
    ['POST', '/v1/tasks/a%E2%28/clear', 400, 'id'],
    ['PATCH', '/execution/task-instances/a~1%/run', 400, 'id'],
    ['GET', '/v1/tasks/a%2Fb', 404],
    ['GET', '/v1/tasks/a%253Ab', 404],
    // A queue's name is never decoded.
    ['GET', '/v1/queues/nightl%79', 400, 'name'],
    ['PUT', '/v1/queues/%', 400, 'name'],
    ['GET', '/v1/nothing', 404],
    ['GET', '/', 404],
    ['HEAD', '/v1/tasks', 405],
    ['PUT', '/v1/tasks', 405],
    ['PATCH', '/v1/tasks/a', 405],
    ['GET', '/v1/tasks/a/mark', 405],
    ['POST', '/execution/task-instances/a/run', 405],
    ['PATCH', '/execution/task-instances/a', 404],
  ])('%s %s: %i', async (...[method, path, status, field]) => {
    const service = aService();
    const reply = await service.call(method, path);
    expect(reply).toMatchObject({ status, body: { status, ...(field === undefined ? {} : { field }) } });
    expect(reply.headers['Content-Type']).toBe('application/problem+json');
    expect(reply.headers['Allow'] === undefined).toBe(status !== 405);
  });

  test('405 says what the route takes', async () => {
    expect((await aService().call('PUT', '/v1/tasks')).headers['Allow']).toBe('POST, GET');
  });

  test.each([
    [{}, 422, 'state'],
    [{ state: 'removed' }, 422, 'state'],
    [{ state: 'up_for_retry' }, 422, 'state'],
    [{ state: 'success', reason: 'x' }, 422, 'reason'],
  ])('mark %j: %i naming %s', async (body, status, field) => {
    const service = aService();
    await service.submit({ id: 'a' });
    expect(await service.call('POST', '/v1/tasks/a/mark', body)).toMatchObject({ status, body: { field } });
    expect((await service.task('a')).rev).toBe(1);
  });

  test('mark without a body is 400; clear takes none, or an empty one', async () => {
    const service = aService();
    await service.submit({ id: 'a' });
    expect(await service.call('POST', '/v1/tasks/a/mark')).toMatchObject({ status: 400 });
    expect(await service.call('POST', '/v1/tasks/a/clear', { force: true })).toMatchObject({ status: 422 });
    expect(await service.call('POST', '/v1/tasks/a/clear')).toMatchObject({ status: 200 });
    expect(await service.call('POST', '/v1/tasks/a/clear', {})).toMatchObject({ status: 200 });
  });
});
