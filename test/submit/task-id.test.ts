import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TASK_ID } from '../../functions/api/schemas/fields.ts';
import { taskIdOf } from '../../functions/submit/task-id.ts';

const arn = (name: string) => `arn:aws:states:eu-west-1:111122223333:execution:${name}`;

describe('the id of a task that has none of its own', () => {
  test('names the state machine and the execution', () => {
    expect(taskIdOf({ execution: arn('Pipeline:run-1') })).toBe('Pipeline:run-1');
    expect(taskIdOf({ execution: arn('Pipeline:run-1'), redrive: 0 })).toBe('Pipeline:run-1');
  });

  test('tells the waits of an execution apart', () => {
    const base = { execution: arn('Pipeline:run-1'), state: 'Wait', entered_at: '2024-01-01T00:00:00.000Z' };
    const waits = [
      base,
      { ...base, state: 'Wait again' },
      { ...base, entered_at: '2024-01-01T00:00:00.001Z' },
      { ...base, item: 0 },
      { ...base, item: 1 },
      { ...base, redrive: 1 },
      { execution: base.execution, redrive: 1 },
      { ...base, execution: arn('Pipeline:run-2') },
    ];
    const ids = waits.map(taskIdOf);
    expect(new Set(ids).size).toBe(waits.length);
    expect(ids[0]).toMatch(/^Pipeline:run-1:[0-9a-f]{16}$/);
    expect(waits.map(taskIdOf)).toEqual(ids);
  });

  test('is one that a task may have, whatever an execution is called, and another for another name', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 160 });
    fc.assert(
      fc.property(name, name, (one, other) => {
        const ids = [one, other].map((text) => taskIdOf({ execution: arn(text) }));
        for (const id of ids) expect(id).toMatch(TASK_ID);
        expect(ids[0] === ids[1]).toBe(one === other);
      }),
    );
    expect(taskIdOf({ execution: 'x' })).toMatch(TASK_ID);
    expect(taskIdOf({ execution: arn('..') })).toMatch(/^\.\.:[0-9a-f]{16}$/); // N027
  });
});
