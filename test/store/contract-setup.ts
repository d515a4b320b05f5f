import { transition } from '../../functions/core/states.ts';
import type { TaskEvent } from '../../functions/core/states.ts';
import type { Target } from '../../functions/core/target.ts';
import type { ExecutionContext, Task } from '../../functions/core/task.ts';
import { createStore } from '../../functions/store/create-store.ts';
import type { Poison, Store } from '../../functions/store/store.ts';
import type { Table } from '../../functions/store/table.ts';
import { T0, aTask } from '../support/tasks.ts';

export interface Setup {
  readonly table: Table;
  readonly store: Store;
  /** A queue of this test alone. */
  readonly queue: string;
  /** What the store told of. */
  readonly told: Poison[];
  /** A task of the test's queue. */
  readonly task: (name: string, fields?: Partial<Task>, exec?: Partial<ExecutionContext>) => Task;
  /** A target of the test's queue, as a joiner at T0 wants it. */
  readonly target: (fields?: Partial<Target>) => Target;
}

/** Gives each test a store over the given table and names that no other test uses. */
export function setups(suite: string, make: () => Table): () => Setup {
  let serial = 0;
  let ids = 0;
  return () => {
    serial += 1;
    const queue = `${suite}-${serial}`;
    const table = make();
    const told: Poison[] = [];
    const newId = () => {
      ids += 1;
      return `op-${suite}-${ids}`;
    };
    return {
      table,
      queue,
      told,
      store: createStore({ table, newId, onPoison: (poison) => told.push(poison) }),
      task: (name, fields = {}, exec = {}) => aTask(exec, { id: `${queue}-${name}`, queue, ...fields }),
      target: (fields = {}) => ({
        queue,
        mode: 'smart',
        hashcode: '42',
        shardcode: 42,
        sensor: { type: 's3_key', bucket: 'b', key: ['k'] },
        full_hash: 'f'.repeat(64),
        poke_interval: 60,
        exponential: false,
        next_deadline: T0 + 3_600_000,
        rev: 1,
        joined_at: T0,
        first_poke_at: T0,
        ...fields,
      }),
    };
  };
}

/** The task after an event. */
export function after(task: Task, event: TaskEvent, now = T0 + 1000): Task {
  const outcome = transition(task, event, { now, by: 'service' });
  if (outcome.kind !== 'moved') throw new Error(`${event.type} does not move ${task.state}`);
  return outcome.task;
}
