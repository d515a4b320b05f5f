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
