import { describe, expect, test } from '@jest/globals';
import { itemBytes } from '../../functions/store/item-size.ts';
import { statePart, targetIdOf, targetKey, taskIdOf, taskKey } from '../../functions/store/keys.ts';
import { isPoison } from '../../functions/store/poison.ts';
import { readTarget } from '../../functions/store/target-item.ts';
import { readTask, taskItem } from '../../functions/store/task-item.ts';
import { toAttributes } from '../../functions/store/value.ts';
import { aTask } from '../support/tasks.ts';
import { after } from './contract-setup.ts';

describe('keys', () => {
  test.each([
    { queue: 'default', mode: 'smart', hashcode: '42' },
    { queue: 'a#b', mode: 'deferrable', hashcode: '9223372036854775807' },
  ])('a target is known by its key: %j', (id) => expect(targetIdOf(targetKey(id))).toEqual(id));

  test.each(['TARGET#', 'TARGET#a', 'TARGET#a#smart', 'TASK#a#b#c'])('%s is no target', (key) =>
    expect(targetIdOf(key)).toBeUndefined(),
  );

  test('a task is known by its key', () => {
    expect(taskIdOf(taskKey('a:b=c+d@e~1'))).toBe('a:b=c+d@e~1');
    expect(taskIdOf('TARGET#x')).toBeUndefined();
  });

  test('tasks are spread over the partitions of their state', () => {
    const parts = Array.from({ length: 8000 }, (_, n) => statePart(`nightly-${n}`));
    const counts = [0, 1, 2, 3, 4, 5, 6, 7].map((part) => parts.filter((one) => one === part).length);
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1200);
  });
});

describe('task items', () => {
  const typical = aTask(
    {},
    {
      id: '0198f3a2-7c1e-7abc-8def-0123456789ab',
      sensor: {
        type: 's3_key',
        bucket: 'company-data-landing-prod',
        key: ['sales/daily/dt=2024-01-01/_SUCCESS'],
        wildcard_match: false,
      },
      coordinates: {
        dag_id: 'sales_daily',
        task_id: 'wait_for_landing',
        run_id: 'scheduled__2024-01-01T00:00:00+00:00',
        logical_date: '2024-01-01 00:00:00+00:00',
      },
      hashcode: '9223372036854775807',
      submit_hash: 'a'.repeat(64),
    },
  );
  const stored = (task: typeof typical) => itemBytes({ ...taskItem(task), op_id: typical.id });

  test('a typical task takes one write unit, waiting and ended', () => {
    expect(stored(typical)).toBeLessThan(1000);
    expect(stored(after(typical, { type: 'met', value: { size: 12345 } }))).toBeLessThan(1024);
  });

  test.each([
    ['sensing', true, false],
    ['deferred', true, false],
    ['queued', false, false],
    ['success', false, false],
  ] as const)('a task that is %s waits on a target: %s', (state, hashcode, shardcode) => {
    const item = taskItem({ ...typical, state });
    expect(['hashcode' in item, 'shardcode' in item]).toEqual([hashcode, shardcode]);
    expect('expires_at' in item).toBe(state === 'success');
  });

  test('a task with a wake_at is in shardcode-index', () => {
    expect(taskItem({ ...typical, wake_at: 5 })).toMatchObject({ shardcode: 'default#42', wake_at: 5 });
  });

  test('is forgotten 30 days after its end, and not while it lives, whatever the record says', () => {
    const ended = { ...typical, state: 'success' as const, ended_at: 1_000_500 };
    expect(taskItem(ended)['expires_at']).toBe(1001 + 30 * 24 * 3600);
    expect(taskItem({ ...ended, expires_at: 77 })['expires_at']).toBe(77);
    expect(taskItem({ ...typical, expires_at: 77 })).not.toHaveProperty('expires_at');
  });
});

describe('poison', () => {
  const good = taskItem(aTask());
  test.each([
    [{ rev: 'x' }, 'rev: expected number'],
    [{ rev: 1.5 }, 'rev: expected int'],
    [{ state: 'dreaming' }, 'state: Invalid input'],
    [{ sensor: 's3' }, 'sensor: expected object'],
    [{ sensor: {} }, 'sensor.type: expected string'],
    [{ exec: { ...Object(good['exec']), timeout: 'soon' } }, 'exec.timeout: expected number'],
    [{ history: [{ at: 1 }] }, 'history.0.from: Invalid input'],
    [{ tags: { a: 1 } }, 'tags.a: expected string'],
  ])('%j is named: %s', (damage, problem) => {
    expect(readTask({ ...good, ...damage })).toEqual({ key: good.pk, problem });
  });

  test('the wrong kind of key', () => {
    expect(readTask({ ...good, pk: 'QUEUE#a' })).toEqual({ key: 'QUEUE#a', problem: 'pk: not the key of a task' });
    expect(readTarget({ pk: 'TASK#a' })).toEqual({ key: 'TASK#a', problem: 'pk: not the key of a target' });
  });

  test('what a later version adds is no poison', () => {
    expect(isPoison(readTask({ ...good, added_later: 1 }))).toBe(false);
  });
});

describe('values', () => {
  test('undefined fields are left out, at any depth', () => {
    expect(toAttributes({ a: 1, b: undefined, c: { d: undefined, e: [null, 'x'] } })).toEqual({
      a: 1,
      c: { e: [null, 'x'] },
    });
  });

  test.each([[() => 1], [Number.NaN], [1n], [new Date(0)], [new Map()], [[undefined]]])('%p is refused', (bad) => {
    expect(() => toAttributes({ bad })).toThrow(TypeError);
  });
});
