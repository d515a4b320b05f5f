import { describe, expect, test } from '@jest/globals';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import { createSubmitAndWait } from '../../functions/submit/submit-and-wait.ts';
import type { Table } from '../../functions/store/table.ts';
import { TableError } from '../../functions/store/table.ts';
import { createStore } from '../../functions/store/create-store.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import { T0 } from '../support/tasks.ts';

const SENSOR = { type: 's3_key', bucket: 'landing', key: 'k' };
const EXECUTION = 'arn:aws:states:eu-west-1:111122223333:execution:Pipeline:run-1';

/** What a state sends. */
const wait = (task: unknown, task_token = 'bearer', context: object = {}) => ({
  task,
  task_token,
  context: { execution: EXECUTION, ...context },
});

function aFunction({ allow = ['*'], wrap = (table: Table) => table, deaf = false } = {}) {
  const told: unknown[][] = [];
  const logged: object[] = [];
  const keys: string[] = [];
  const table = createMemoryTable({ onChange: ({ key }) => void keys.push(key) });
  const store = createStore({ table: wrap(table), newId: () => 'op' });
  const submit = createSubmitAndWait({
    store,
    callbacks: {
      succeed: () => Promise.reject(new Error('nothing succeeds here')),
      async fail(...call) {
        told.push(call);
        if (deaf) throw new Error('throttled');
        return 'told';
      },
    },
    clock: { now: () => T0, sleep: async () => undefined },
    newId: () => 'never',
    log: (line) => void logged.push(line),
    settings: DEFAULT_SETTINGS,
    opened: { ...ALL_OPEN, allow },
  });
  return { submit, store, told, logged, keys };
}

const broken = (table: Table): Table => ({
  ...table,
  update: () => Promise.reject(new TableError('busy', { throttled: true })),
});

describe('a state that waits', () => {
  test('submits its task with its token, in the name of its execution', async () => {
    const { submit, store, told, logged } = aFunction();
    expect(await submit(wait({ sensor: SENSOR, retries: 2 }))).toEqual({ id: 'Pipeline:run-1' });
    expect(await store.task('Pipeline:run-1')).toMatchObject({
      state: 'sensing',
      max_tries: 2,
      callback_tokens: ['bearer'],
      history: [{ why: 'submit', by: `execution:${EXECUTION}` }],
    });
    expect([told, logged]).toEqual([[], []]);
  });

  test('that is tried again submits nothing twice, and waits with its new token too', async () => {
    const { submit, store, keys } = aFunction();
    const context = { state: 'Wait', entered_at: 'now' };
    const first = await submit(wait({ sensor: SENSOR }, 'first', context));
    expect(await submit(wait({ sensor: SENSOR }, 'second', context))).toEqual(first);
    expect(new Set(keys.filter((key) => key.startsWith('TASK#'))).size).toBe(1);
    expect(await store.task('id' in first ? first.id : '')).toMatchObject({
      rev: 2,
      callback_tokens: ['first', 'second'],
    });
  });

  test('may name its task', async () => {
    const { submit } = aFunction();
    expect(await submit(wait({ id: 'mine', sensor: SENSOR }))).toEqual({ id: 'mine' });
  });

  test.each<[string, unknown, string]>([
    ['nothing', null, 'task must be an object'],
    ['a list', [{ sensor: SENSOR }], 'task must be an object'],
    ['no sensor', {}, 'sensor is required'],
    ['a batch', { tasks: [{ sensor: SENSOR }] }, 'tasks is not a known field'],
    [
      'two wrong fields',
      { sensor: SENSOR, retries: -1, foo: 1 },
      'retries must be at least 0; foo is not a known field',
    ],
    ['what is not open', { sensor: { ...SENSOR, bucket: 'payroll' } }, 'sensor: the operator has not opened'],
    ['whom to tell', { sensor: SENSOR, callback: { task_token: 'other' } }, 'callback is the token of the state'],
    ['an id in use', { id: 'taken', sensor: SENSOR }, 'id: a task with this id was submitted with another body'],
  ])('ends at once where it submits %s: the cause names the field', async (_, task, cause) => {
    const { submit, told, logged, keys } = aFunction({ allow: ['arn:aws:s3:::landing/*'] });
    await submit(wait({ id: 'taken', sensor: SENSOR, retries: 1 }, 't'));
    const count = keys.length;
    expect(await submit(wait(task))).toEqual({ refused: expect.stringContaining(cause) });
    expect(told).toEqual([['bearer', 'Sensorium.Refused', expect.stringContaining(cause)]]);
    expect(keys).toHaveLength(count);
    expect(logged).toMatchObject([{ message: 'not submitted', execution: EXECUTION, error: 'Sensorium.Refused' }]);
    expect(JSON.stringify(logged)).not.toContain('bearer');
  });

  test.each([{}, { queue: 'team-a' }])('of one queue submits %j into that queue', async (more) => {
    const { submit, store } = aFunction();
    expect(await submit({ ...wait({ id: 'a', sensor: SENSOR, ...more }), queue: 'team-a' })).toEqual({ id: 'a' });
    expect(await store.task('a')).toMatchObject({ queue: 'team-a', callback_tokens: ['bearer'] });
  });

  test.each(['team-b', 'default', '', null])('of one queue ends at once where its task names %j', async (queue) => {
    const { submit, told, keys } = aFunction();
    const cause = 'queue must be team-a, the only queue that is reached this way';
    expect(await submit({ ...wait({ sensor: SENSOR, queue }), queue: 'team-a' })).toEqual({ refused: cause });
    expect(told).toEqual([['bearer', 'Sensorium.Refused', cause]]);
    expect(keys).toEqual([]);
  });

  test('of one queue learns of an id that another queue has that it is taken, and waits for nothing of it', async () => {
    const { submit, store } = aFunction();
    await submit(wait({ id: 'a', sensor: SENSOR, queue: 'team-b' }, 'theirs'));
    const refused = 'id: a task with this id was submitted with another body';
    expect(await submit({ ...wait({ id: 'a', sensor: SENSOR }), queue: 'team-a' })).toEqual({ refused });
    expect(await store.task('a')).toMatchObject({ queue: 'team-b', callback_tokens: ['theirs'] });
  });

  test('is to try again where the table does not keep up', async () => {
    const { submit, told } = aFunction({ wrap: broken });
    await submit(wait({ sensor: SENSOR }));
    expect(told).toMatchObject([['bearer', 'Sensorium.Busy', 'the service is busy; repeat the request']]);
  });

  test.each<[object, string]>([
    [{}, 'Sensorium.Refused'],
    [{ wrap: broken }, 'Sensorium.Busy'],
  ])('that could not be told of its refusal fails by an error of that name (%#)', async (options, name) => {
    const { submit } = aFunction({ ...options, deaf: true });
    const task = name === 'Sensorium.Busy' ? { sensor: SENSOR } : {};
    await expect(submit(wait(task))).rejects.toMatchObject({ name, cause: new Error('throttled') });
  });

  test.each([
    undefined,
    {},
    wait({ sensor: SENSOR }, ''),
    { ...wait({ sensor: SENSOR }), queue: '*' },
    { ...wait({ sensor: SENSOR }), context: {} },
  ])('is one of ours: %j fails, and nothing is written', async (event) => {
    const { submit, keys } = aFunction();
    await expect(submit(event)).rejects.toMatchObject({ name: 'Sensorium.Refused' });
    expect(keys).toEqual([]);
  });
});
