import { expect, test } from '@jest/globals';
import { transition } from '../../functions/core/states.ts';
import type { TaskEvent } from '../../functions/core/states.ts';
import { HISTORY_LIMIT } from '../../functions/core/steps.ts';
import type { Task } from '../../functions/core/task.ts';
import { aTask, T0 } from '../support/tasks.ts';

const failed: TaskEvent = { type: 'failed', reason: 'broken' };

function left(task: Task, event: TaskEvent, now = T0 + 1000): Task {
  const outcome = transition(task, event, { now, by: 'service' });
  if (outcome.kind !== 'moved') throw new Error(`unchanged: ${outcome.why}`);
  return outcome.task;
}

test('history says when, what, why and who, and stays bounded with its beginning kept', () => {
  let task = aTask({ retries: 1000, retry_delay: 1 });
  for (let round = 0; round < 100; round += 1) {
    task = left(task, failed);
    task = left(task, { type: 'retry_due' }, T0 + 3000);
  }
  expect(task.history).toHaveLength(HISTORY_LIMIT);
  expect(task.history[0]).toMatchObject({ from: 'none', to: 'sensing', why: 'submit', by: 'user:test' });
  expect(task.history.at(-2)).toMatchObject({
    to: 'up_for_retry',
    try_number: 100,
    why: 'failed: broken',
    by: 'service',
  });
});

test('the pokes of a rescheduled task do not push out why its tries failed', () => {
  let task = aTask({ retries: 5 }, { mode: 'reschedule' });
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const began = task.started_at;
    for (let poke = 1; poke <= 100; poke += 1) {
      const at = began + poke * 60_000;
      task = left(left(task, { type: 'start' }, at), { type: 'reschedule', at: at + 1 }, at);
      task = left(task, { type: 'reschedule_due' }, at + 1);
    }
    task = left(task, failed, began + 7_000_000);
    task = left(task, { type: 'retry_due' }, began + 8_000_000);
  }
  expect(task.history.length).toBeLessThan(20);
  expect(task.history[0]).toMatchObject({ why: 'submit' });
  expect(task.history.filter(({ why }) => why === 'failed: broken').map(({ try_number }) => try_number)).toEqual([
    1, 2,
  ]);
});

test.each([
  ['asks for the end of what it watched', true, 'sensing', { wake_at: T0 + 5, cancel: { state: 'wanted' } }],
  ['asks for nothing that was not submitted', false, 'sensing', {}],
  ['asks for nothing once the wait is over', true, 'failed', {}],
] as const)('a remove %s', (_, cancel_on_kill, state, wanted) => {
  const task = aTask({ cancel_on_kill }, { state });
  const removed = left(task, { type: 'remove' }, T0 + 5);
  expect(removed).toMatchObject({ state: 'removed', ...wanted });
  expect('cancel' in removed).toBe('cancel' in wanted);
  expect('wake_at' in removed).toBe('wake_at' in wanted);
  const cleared = left(removed, { type: 'clear' }, T0 + 9);
  expect(cleared).not.toHaveProperty('cancel');
  const marked = left(removed, { type: 'mark', state: 'success' }, T0 + 9);
  expect(marked).not.toHaveProperty('cancel');
});

test('a try that begins after a restore is no restored one', () => {
  const restored = aTask({}, { state: 'failed', restored_at: T0 + 1 });
  expect(left(restored, { type: 'clear' }, T0 + 9)).not.toHaveProperty('restored_at');
});
