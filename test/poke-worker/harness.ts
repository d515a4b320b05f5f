import { createPokeWorker } from '../../functions/poke-worker/poke-worker.ts';
import type { PokeWorkerEvent } from '../../functions/poke-worker/events.ts';
import { awsCalls } from '../../functions/sensors/aws-calls.ts';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import { createSensors } from '../../functions/sensors/registry.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import { createStore } from '../../functions/store/create-store.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import type { Store } from '../../functions/store/store.ts';
import type { Table } from '../../functions/store/table.ts';
import { createVirtualTime } from '../../simulator/virtual-time.ts';
import type { Sender } from '../../functions/sensors/sensor.ts';
import type { Task } from '../../functions/core/task.ts';
import { fakeSender, headError } from '../sensors/fakes.ts';
import { aTask, T0 } from '../support/tasks.ts';

export interface Bench {
  readonly time: ReturnType<typeof createVirtualTime>;
  readonly store: Store;
  readonly invoked: PokeWorkerEvent[];
  readonly logged: Readonly<Record<string, unknown>>[];
  /** How many objects were asked for, and when (seconds). */
  readonly heads: number[];
  /** The task as it stands. */
  task(): Promise<Task>;
  /** Invokes the worker at a second. @returns how it ended, once time has passed. */
  runAt(second: number, event?: Partial<PokeWorkerEvent>): { how?: 'done' | 'failed' };
}

/** A task that pokes for itself, and a worker for it. @param present from which second the key is there */
export async function bench(
  task: Task,
  present = Number.POSITIVE_INFINITY,
  wrap: (table: Table, time: Bench['time']) => Table = (table) => table,
  s3?: (second: number) => unknown,
): Promise<Bench> {
  const time = createVirtualTime(T0);
  let ids = 0;
  const newId = () => `id-${(ids += 1)}`;
  const memory = createMemoryTable({ now: () => time.now() });
  const truth = createStore({ table: memory, newId });
  await truth.addTasks([task]);
  const store = createStore({ table: wrap(memory, time), newId });
  const invoked: PokeWorkerEvent[] = [];
  const logged: Readonly<Record<string, unknown>>[] = [];
  const heads: number[] = [];
  const head = () => {
    const second = (time.now() - T0) / 1000;
    heads.push(second);
    if (s3 !== undefined) return s3(second);
    return second >= present ? {} : headError(404);
  };
  const sender: Sender = fakeSender({ HeadBucket: {}, HeadObject: head });
  const work = createPokeWorker({
    store,
    sensors: createSensors(awsCalls({ s3: sender, emr: fakeSender({}) }), ALL_OPEN),
    clock: time.clock,
    newId,
    log: (entry) => void logged.push(entry),
    settings: DEFAULT_SETTINGS,
    runs: { invoke: async (event) => void invoked.push(event) },
  });
  return {
    time,
    store: truth,
    invoked,
    logged,
    heads,
    async task() {
      const found = await truth.task(task.id);
      if (found === undefined) throw new Error('the task is gone');
      return found;
    },
    runAt(second, event = {}) {
      const run: { how?: 'done' | 'failed' } = {};
      time.at(T0 + second * 1000, 'step', () => {
        work({ kind: 'run', task_id: task.id, try_number: 1, ...event }).then(
          () => (run.how = 'done'),
          () => (run.how = 'failed'),
        );
      });
      return run;
    },
  };
}

export function own(mode: 'poke' | 'reschedule', exec: Partial<Task['exec']> = {}): Task {
  return aTask(exec, { mode });
}
