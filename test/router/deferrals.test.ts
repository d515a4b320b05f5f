import { describe, expect, test } from '@jest/globals';
import { transition } from '../../functions/core/states.ts';
import type { TaskEvent } from '../../functions/core/states.ts';
import type { Task } from '../../functions/core/task.ts';
import { deferralsOf } from '../../functions/router/deferrals.ts';
import { aTask, T0 } from '../support/tasks.ts';

const deferred = (id: string, fields: Partial<Task> = {}): Task => aTask({}, { id, mode: 'deferrable', ...fields });

function changed(before: Task, event: TaskEvent, by = 'service') {
  const outcome = transition(before, event, { now: T0 + 1000, by });
  if (outcome.kind !== 'moved') throw new Error(`${event.type} does not move ${before.state}`);
  return { before, after: outcome.task };
}

describe('deferred tasks in a batch of the stream', () => {
  test('have each of their targets started once, also where no poke at once is wanted', () => {
    const [a, b, c] = [deferred('a'), deferred('b', { first_poke: true }), deferred('c', { hashcode: '43' })];
    expect(deferralsOf([{ after: a }, { after: b }, { after: c }])).toEqual([
      {
        kind: 'start',
        targets: [
          { queue: 'default', hashcode: '42', tasks: ['a', 'b'], first: true },
          { queue: 'default', hashcode: '43', tasks: ['c'], first: false },
        ],
      },
    ]);
  });

  test('that are retried or cleared are started as after a submit, a retry with a poke at once', () => {
    const waiting = { ...deferred('a'), state: 'up_for_retry' as const };
    const [retried] = deferralsOf([changed(waiting, { type: 'retry_due' })]);
    expect(retried).toMatchObject({ kind: 'start', targets: [{ tasks: ['a'], first: true }] });
    const [cleared] = deferralsOf([changed(deferred('a'), { type: 'clear' }, 'user:u')]);
    expect(cleared).toMatchObject({ kind: 'start', targets: [{ tasks: ['a'], first: false }] });
  });

  test('that a user takes away have their target checked; whom a poke ends has been seen', () => {
    const removed = changed(deferred('a'), { type: 'remove' }, 'user:u');
    const marked = changed(deferred('b'), { type: 'mark', state: 'success' }, 'user:u');
    const check = { kind: 'check', targets: [{ queue: 'default', hashcode: '42' }] };
    expect(deferralsOf([removed, marked])).toEqual([check]);
    expect(deferralsOf([changed(deferred('a'), { type: 'met' })])).toEqual([]);
  });

  test('are none of smart mode, no other write of a deferred task, and no removal', () => {
    const touched = { before: deferred('a'), after: deferred('a', { rev: 2 }) };
    expect(deferralsOf([{ after: aTask() }, touched, { before: deferred('a') }])).toEqual([]);
  });
});
