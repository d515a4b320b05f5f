import { describe, expect, test } from '@jest/globals';
import { nextDue } from '../../functions/core/cadence.ts';
import {
  awaitsRun,
  byUrgency,
  isFirstRun,
  LAST_WORD_MS,
  leaseUntil,
  noteUnknown,
  renewalAt,
  startRun,
  taskSchedule,
} from '../../functions/core/runs.ts';
import { transition } from '../../functions/core/states.ts';
import type { TaskEvent } from '../../functions/core/states.ts';
import type { Mode, Task } from '../../functions/core/task.ts';
import { aTask, anExternalTask, T0 } from '../support/tasks.ts';

const by = 'worker:x';

function own(exec: Partial<Task['exec']> = {}, mode: Mode = 'poke', fields: Partial<Task> = {}): Task {
  return aTask(exec, { mode, ...fields });
}

function after(task: Task, event: TaskEvent, now: number): Task {
  const outcome = transition(task, event, { now, by });
  if (outcome.kind !== 'moved') throw new Error(`${event.type} does not move ${task.state}`);
  return outcome.task;
}

const started = (task: Task, now = T0): Task => startRun(task, now + 180_000, { now, by });

describe('a task that pokes for itself', () => {
  test('waits for a run when it is queued, and when it was rescheduled to an instant that has come', () => {
    const queued = own();
    const put = after(started(queued), { type: 'reschedule', at: T0 + 60_000 }, T0 + 200);
    expect(awaitsRun(queued, T0)).toBe(true);
    expect(awaitsRun(started(queued), T0)).toBe(false);
    expect(awaitsRun(put, T0 + 59_999)).toBe(false);
    expect(awaitsRun(put, T0 + 60_000)).toBe(true);
    expect(awaitsRun(aTask(), T0)).toBe(false);
    expect(awaitsRun(anExternalTask(), T0)).toBe(false);
  });

  test('is started in one write, also from its reschedule: its lease is when it wakes, its try and deadline stay', () => {
    const put = after(started(own()), { type: 'reschedule', at: T0 + 60_000 }, T0 + 200);
    const again = startRun(put, T0 + 240_000, { now: T0 + 60_100, by });
    expect(again).toMatchObject({ state: 'running', rev: put.rev + 1, try_number: 1, wake_at: T0 + 240_000 });
    expect(again.deadline).toBe(put.deadline);
    expect(again.history.slice(-2)).toMatchObject([
      { from: 'up_for_reschedule', to: 'queued', by },
      { from: 'queued', to: 'running', by },
    ]);
  });

  test('goes before another by its deadline, but one that waits is not passed over for ever', () => {
    const hours = (count: number) => T0 + count * 3_600_000;
    const soon = own({}, 'poke', { deadline: hours(1) });
    const patient = own({}, 'poke', { deadline: hours(3), wake_at: T0 - 60_000 });
    const passed = own({}, 'reschedule', { deadline: hours(3), wake_at: T0 - 180_000, updated_at: T0 - 9_000_000 });
    const ahead = own({}, 'reschedule', { deadline: hours(3), wake_at: T0 + 9_000_000 });
    expect([ahead, patient, soon, passed].toSorted(byUrgency(T0))).toEqual([passed, soon, patient, ahead]);
  });

  test('has a first run a try, and not one more for a run that died or handed over', () => {
    expect(isFirstRun(own())).toBe(true);
    expect(isFirstRun(after(started(own()), { type: 'hand_over' }, T0 + 1))).toBe(false);
    expect(isFirstRun(after(started(own()), { type: 'lease_expired' }, T0 + 180_000))).toBe(false);
    const retried = after(
      after(started(own({ retries: 1 })), { type: 'failed', reason: 'x' }, T0 + 9),
      { type: 'retry_due' },
      T0 + 400_000,
    );
    expect(isFirstRun(retried)).toBe(true);
  });
});

describe('when it pokes', () => {
  test('a constant interval counts from the start of the try, and the deadline is a due time', () => {
    const schedule = taskSchedule(own({ poke_interval: 60, timeout: 150 }, 'poke', { started_at: T0 + 7000 }));
    expect(nextDue(schedule, T0 + 7000)).toBe(T0 + 67_000);
    expect(nextDue(schedule, T0 + 67_000)).toBe(T0 + 127_000);
    expect(nextDue({ ...schedule, deadlineMs: T0 + 157_000 }, T0 + 127_000)).toBe(T0 + 157_001);
  });

  test("an exponential one is Airflow's series of its coordinates and its start (DESIGN, section 4)", () => {
    const coordinates = { dag_id: 'd', task_id: 't' };
    const task = own({ poke_interval: 60, exponential_backoff: true }, 'reschedule', { coordinates });
    const schedule = taskSchedule({ ...task, coordinates });
    expect(schedule.identity).toBe('d#t');
    const dues = [T0];
    for (let n = 1; n <= 5; n += 1) dues.push(nextDue(schedule, dues.at(-1) ?? 0));
    const delays = dues.slice(1).map((due, index) => (due - (dues[index] ?? 0)) / 1000);
    expect(delays).toEqual([41, 97, 198, 261, 957]);
    expect(taskSchedule(own()).identity).toBe('None#None');
  });

  test('not before its date, but at its deadline', () => {
    const schedule = taskSchedule(own({ timeout: 3600 }), T0 + 1_000_000);
    expect(nextDue(schedule, T0)).toBe(T0 + 1_000_000);
  });
});

describe('a lease', () => {
  const FAR = T0 + 840_000;

  test.each([
    ['three minutes', 'poke', 10, FAR, T0 + 180_000],
    ['three intervals where that is more', 'poke', 100, FAR, T0 + 300_000],
    ['three minutes for a single poke', 'reschedule', 600, FAR, T0 + 180_000],
    ['no longer than its worker can live', 'poke', 600, FAR, FAR + LAST_WORD_MS],
    ['not longer near the end of the run', 'poke', 10, T0 + 30_000, T0 + 90_000],
  ] as const)('holds for %s', (_, mode, poke_interval, endsAt, until) => {
    expect(leaseUntil(own({ poke_interval }, mode), T0, endsAt)).toBe(until);
  });

  test('is renewed at its half, and never where it covers the run', () => {
    expect(renewalAt(T0, T0 + 180_000, FAR)).toBe(T0 + 90_000);
    expect(renewalAt(T0, FAR + LAST_WORD_MS, FAR)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("the task's own window", () => {
  const unknown = { kind: 'unknown', reason: 'throttled' } as const;

  test('is opened by its first unknown and closed by a clean poke', () => {
    const opened = noteUnknown(own(), unknown, T0 + 5);
    expect(opened.first_unknown_at).toBe(T0 + 5);
    expect(noteUnknown(opened, unknown, T0 + 99).first_unknown_at).toBe(T0 + 5);
    expect('first_unknown_at' in noteUnknown(opened, { kind: 'not_met' }, T0 + 100)).toBe(false);
  });

  test('is nothing to note while pokes are clean', () => {
    const task = own();
    expect(noteUnknown(task, { kind: 'not_met' }, T0)).toBe(task);
  });
});
