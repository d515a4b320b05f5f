import { identify, phaseMs } from '../../functions/core/identity.ts';
import { wantedTarget } from '../../functions/core/membership.ts';
import type { Target } from '../../functions/core/target.ts';
import type { ExecutionContext, Task } from '../../functions/core/task.ts';
import { createDeferral } from '../../functions/deferral/deferral.ts';
import type { DeferralDeps } from '../../functions/deferral/deps.ts';
import type { PokeAnswer, PokeEvent } from '../../functions/deferral/events.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import { createStore } from '../../functions/store/create-store.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import type { Store } from '../../functions/store/store.ts';
import { fakeSender, headError, sensorsOver, specOf } from '../sensors/fakes.ts';
import { aTask, T0 } from '../support/tasks.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** The deferral function over a memory table, an S3 that has what is put there, and executions that only stand in a list. */
export function setup(wrap: (store: Store) => Store = (store) => store) {
  let now = T0;
  let ids = 0;
  const keys = new Set<string>();
  const s3 = fakeSender({
    HeadObject: ({ Key }: { Key: string }) => (keys.has(Key) ? { ContentLength: 1 } : headError(404)),
    HeadBucket: {},
  });
  const store = createStore({ table: createMemoryTable(), newId: () => `op-${(ids += 1)}` });
  const started: { name: string; input: PokeEvent }[] = [];
  const stopped: string[] = [];
  const running = new Set<string>();
  const logged: string[] = [];
  const trouble = { start: false };
  const deps: DeferralDeps = {
    store: wrap(store),
    sensors: sensorsOver({ s3 }),
    clock: {
      now: () => now,
      // No call takes longer than it may; whoever waits for anything else has waited.
      sleep: (_ms, signal) =>
        new Promise((wake) => (signal === undefined ? wake() : signal.addEventListener('abort', () => wake()))),
    },
    log: ({ message }) => void logged.push(message),
    settings: DEFAULT_SETTINGS,
    executions: {
      async start(name, input) {
        if (trouble.start) throw new Error('Step Functions is busy');
        if (started.every((one) => one.name !== name)) running.add(name);
        started.push({ name, input });
      },
      async stop(name) {
        stopped.push(name);
        running.delete(name);
      },
      running: async () => running,
    },
  };
  const defer = createDeferral(deps);

  /** Submits a deferrable task, as the API does. */
  async function submit(id: string, exec: Partial<ExecutionContext> = {}, key = 'k'): Promise<Task> {
    const sensor = specOf({ type: 's3_key', bucket: 'b', key });
    const { hashcode, full_hash } = identify(sensor);
    const task = aTask(exec, { id, mode: 'deferrable', sensor, hashcode });
    const deadline = now + task.exec.timeout * 1000;
    const begun = { ...task, created_at: now, updated_at: now, started_at: now, deadline };
    await store.touchQueue('default', now);
    await store.join(wantedTarget([begun], full_hash, now), true);
    await store.addTasks([begun]);
    return begun;
  }

  const start = (task: Task, first = true) =>
    defer({ kind: 'start', targets: [{ queue: 'default', hashcode: task.hashcode, tasks: [task.id], first }] });

  async function target(task: Task): Promise<Target> {
    const found = await store.target(task);
    if (found === undefined) throw new Error('there is no target');
    return found;
  }

  return {
    store,
    defer,
    submit,
    start,
    target,
    started,
    stopped,
    running,
    logged,
    trouble,
    /** Pokes made so far. */
    pokes: () => s3.sent.filter(({ command }) => command === 'HeadObject').length,
    put: (key: string) => void keys.add(key),
    at: (instant: number) => void (now = instant),
    now: () => now,
    /** One turn of an execution. */
    turn: (event: PokeEvent): Promise<PokeAnswer | undefined> => defer(event),
  };
}

/** @returns the first due of a task's target after an instant, epoch ms. */
export function dueAfter(task: Task, instant: number): number {
  const every = task.exec.poke_interval * 1000;
  const phase = phaseMs(task.hashcode, task.exec.poke_interval);
  return instant - ((instant - phase) % every) + every;
}

/** @returns an instant as a Wait state takes it, whole seconds. */
export const wholeSecond = (instant: number): string => new Date(Math.ceil(instant / 1000) * 1000).toISOString();
