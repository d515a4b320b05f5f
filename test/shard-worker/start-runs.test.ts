import { expect, test } from '@jest/globals';
import { ratesNow } from '../../functions/core/rates.ts';
import type { Task } from '../../functions/core/task.ts';
import type { PokeWorkerEvent } from '../../functions/poke-worker/events.ts';
import { awsCalls } from '../../functions/sensors/aws-calls.ts';
import { ALL_OPEN } from '../../functions/sensors/opened.ts';
import { createSensors } from '../../functions/sensors/registry.ts';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import { createCallBudget } from '../../functions/shard-worker/call-budget.ts';
import { createRun } from '../../functions/shard-worker/run.ts';
import { startDueRuns } from '../../functions/shard-worker/start-runs.ts';
import { createStore } from '../../functions/store/create-store.ts';
import { createMemoryTable } from '../../functions/store/memory-table.ts';
import { createVirtualTime } from '../../simulator/virtual-time.ts';
import { fakeSender, headError } from '../sensors/fakes.ts';
import { aTask, T0 } from '../support/tasks.ts';

const LIST = 'emr:ListSteps';

/** Tasks that wait for a step each, in the order of their deadlines. */
function steps(count: number, fields: Partial<Task> = {}): Task[] {
  return Array.from({ length: count }, (_, n) => {
    const sensor = { type: 'emr_step', job_flow_id: 'j-1', step_id: `s-${n}` };
    const task = aTask({}, { mode: 'reschedule', state: 'up_for_reschedule', wake_at: T0, ...fields });
    return { ...task, id: `step-${n}`, deadline: task.deadline + n, sensor };
  });
}

function onS3(id: string, fields: Partial<Task> = {}): Task {
  return { ...aTask({}, { mode: 'reschedule', state: 'up_for_reschedule', wake_at: T0, ...fields }), id };
}

/** Has a tick start the runs of tasks. @returns what was invoked, and in which second. */
async function starting(tasks: readonly Task[], budgets: Readonly<Record<string, number>>, starts: number) {
  const time = createVirtualTime(T0);
  let ids = 0;
  const newId = () => `id-${(ids += 1)}`;
  const store = createStore({ table: createMemoryTable({ now: () => time.now() }), newId });
  await store.addTasks(tasks);
  const invoked: { readonly second: number; readonly event: PokeWorkerEvent }[] = [];
  const head = () => {
    throw headError(404);
  };
  let bookings = 0;
  const deps = {
    store: {
      ...store,
      bookCalls: (...asked: Parameters<typeof store.bookCalls>) => {
        bookings += 1;
        return store.bookCalls(...asked);
      },
    },
    sensors: createSensors(
      awsCalls({ s3: fakeSender({ HeadBucket: {}, HeadObject: head }), emr: fakeSender({}) }),
      ALL_OPEN,
    ),
    clock: time.clock,
    newId,
    log: () => undefined,
    settings: DEFAULT_SETTINGS,
    runs: {
      invoke: async (event: PokeWorkerEvent) => void invoked.push({ second: (time.now() - T0) / 1000, event }),
    },
  };
  const rates = ratesNow(budgets);
  const holder = { kind: 'tick', shards: 1, owned: new Set([0]) } as const;
  const run = createRun(time.clock, createCallBudget(deps, { queue: 'default', rates, holder }), 5000);
  time.at(T0, 'tick', () => {
    const event = { kind: 'tick', queue: 'default', shards: [0], to: T0 + 60_000, budgets: rates, starts } as const;
    void startDueRuns(deps, run, { ...event, shards: [0] }, tasks);
  });
  await time.runUntil(T0 + 60_000);
  return {
    invoked,
    run,
    seconds: invoked.map(({ second }) => second),
    ids: invoked.map(({ event }) => event.task_id),
    store,
    bookings,
  };
}

test('of a budget with a burst the first begin at once, and each other when its call comes, with it in its hands', async () => {
  const { seconds, ids, invoked, run } = await starting(steps(10), {}, 100);
  expect(seconds).toEqual([0, 0, 0, 0, 0, 0, 0, 2, 4, 6]);
  expect(ids).toEqual(steps(10).map(({ id }) => id));
  expect(invoked.map(({ event }) => event.booked)).toEqual(
    seconds.map((second) => ({ budget: LIST, at: T0 + second * 1000 })),
  );
  expect(run.counts.started).toBe(10);
});

test('what finds no call in the tick stays due, and holds up nobody who calls another API', async () => {
  const { ids, invoked, run } = await starting([...steps(60), onS3('key')], {}, 100);
  // Seven at once, and one every two seconds until nothing starts any more.
  expect(ids).toEqual(['key', ...steps(34).map(({ id }) => id)]);
  expect(invoked[0]).toEqual({ second: 0, event: { kind: 'run', task_id: 'key', try_number: 1 } });
  expect(run.counts.started).toBe(35);
});

test('without a burst a run begins a second before its call, so that it is there in time', async () => {
  const { seconds, invoked } = await starting(steps(3), { s3: 2, [LIST]: 0.5 }, 100);
  expect(seconds).toEqual([0, 0, 0]);
  const own = [onS3('a'), onS3('b'), onS3('c')];
  const paced = await starting(own, { s3: 1 }, 100);
  expect(paced.seconds).toEqual([0, 1, 2]);
  expect(paced.invoked.map(({ event }) => event.booked?.at)).toEqual([T0 + 1000, T0 + 2000, T0 + 3000]);
  expect(invoked).toHaveLength(3);
});

test('of a larger budget runs look for their own calls, as long as these come soon', async () => {
  const runs = (count: number) => Array.from({ length: count }, (_, n) => onS3(`key-${n}`));
  // A quarter of a hundred calls a second is for runs.
  const few = await starting(runs(50), { s3: 100 }, 1000);
  expect(new Set(few.seconds)).toEqual(new Set([0]));
  expect(few.invoked.filter(({ event }) => event.booked !== undefined)).toEqual([]);
  const many = await starting(runs(100), { s3: 100 }, 1000);
  expect(many.seconds.at(-1)).toBeCloseTo(99 / 25, 1);
  // A second's calls in one write.
  expect(many.bookings).toBe(4);
  expect(many.invoked.map(({ event }) => (event.booked?.at ?? 0) - T0)).toEqual(runs(100).map((_, n) => 1000 + n * 40));
});

test('who finds no slot and is over is judged at once, not after the calls of others', async () => {
  const late = onS3('late', { deadline: T0 - 1000, wake_at: T0 });
  const { store, ids } = await starting([...steps(20, { deadline: T0 - 9_000_000 }), late], {}, 20);
  expect(ids).toHaveLength(20);
  expect(await store.task('late')).toMatchObject({ state: 'failed', reason: 'timeout' });
  expect((await store.task('late'))?.ended_at).toBeLessThan(T0 + 1000);
});
