import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { transition } from '../../functions/core/states.ts';
import type { EventType, TaskEvent } from '../../functions/core/states.ts';
import { STATES } from '../../functions/core/task.ts';
import type { State, Task } from '../../functions/core/task.ts';
import { aTask, anExternalTask, T0 } from '../support/tasks.ts';

const NOW = T0 + 1000;
const at = { now: NOW, by: 'service' };

const EVENTS: Readonly<Record<EventType, TaskEvent>> = {
  start: { type: 'start' },
  lease_expired: { type: 'lease_expired' },
  hand_over: { type: 'hand_over' },
  met: { type: 'met' },
  timeout: { type: 'timeout' },
  execution_timeout: { type: 'execution_timeout' },
  failed: { type: 'failed', reason: 'broken' },
  fail_without_retry: { type: 'fail_without_retry' },
  skip: { type: 'skip' },
  reschedule: { type: 'reschedule', at: T0 + 60_000 },
  reschedule_due: { type: 'reschedule_due' },
  retry_due: { type: 'retry_due' },
  clear: { type: 'clear' },
  mark: { type: 'mark', state: 'success' },
  remove: { type: 'remove' },
};

/** Every state x every event of a smart task without retries: the state after it, or '-' for unchanged. */
const TABLE: Readonly<Record<EventType, Readonly<Record<State, State | '-'>>>> = {
  start: row('-', '-', 'running', '-', '-', '-'),
  lease_expired: row('-', '-', '-', 'queued', '-', '-'),
  hand_over: row('-', '-', '-', 'queued', '-', '-'),
  met: row('success', 'success', 'success', 'success', 'success', '-'),
  timeout: row('failed', 'failed', 'failed', 'failed', 'failed', '-'),
  execution_timeout: row('failed', 'failed', 'failed', 'failed', 'failed', '-'),
  failed: row('failed', 'failed', 'failed', 'failed', 'failed', '-'),
  fail_without_retry: row('-', '-', '-', 'failed', '-', '-'),
  skip: row('-', '-', '-', 'skipped', '-', '-'),
  reschedule: row('-', '-', '-', 'up_for_reschedule', '-', '-'),
  reschedule_due: row('-', '-', '-', '-', 'queued', '-'),
  retry_due: row('-', '-', '-', '-', '-', 'sensing'),
  clear: all('sensing'),
  mark: { ...all('success'), success: '-' },
  remove: { ...all('removed'), removed: '-' },
};

function row(
  sensing: State | '-',
  deferred: State | '-',
  queued: State | '-',
  running: State | '-',
  up_for_reschedule: State | '-',
  up_for_retry: State | '-',
): Record<State, State | '-'> {
  const active = { sensing, deferred, queued, running, up_for_reschedule, up_for_retry };
  return { ...active, success: '-', failed: '-', skipped: '-', removed: '-' };
}

function all(state: State): Record<State, State | '-'> {
  return Object.fromEntries(STATES.map((from) => [from, state])) as Record<State, State | '-'>;
}

const cases = Object.entries(TABLE).flatMap(([event, row]) =>
  Object.entries(row).map(([from, to]) => [from, event, to] as [State, EventType, State | '-']),
);

describe('the transition table', () => {
  test('covers every state and every event', () => {
    expect(cases).toHaveLength(STATES.length * Object.keys(EVENTS).length);
  });

  test.each(cases)('%s + %s -> %s', (from, type, to) => {
    const task = aTask({}, { state: from });
    const outcome = transition(task, EVENTS[type], at);
    const expected =
      to === '-' ? { kind: 'unchanged' } : { kind: 'moved', task: { state: to, rev: task.rev + 1, updated_at: NOW } };
    expect(outcome).toMatchObject(expected);
  });

  test.each([
    ['smart', 'sensing'],
    ['deferrable', 'deferred'],
    ['reschedule', 'queued'],
    ['poke', 'queued'],
  ] as const)('a task of mode %s begins as %s', (mode, state) => {
    expect(aTask({}, { mode }).state).toBe(state);
  });

  test('an external task begins as queued whatever its mode, and is looked at after its deadline', () => {
    expect(anExternalTask()).toMatchObject({ state: 'queued', wake_at: T0 + 3600_000 + 1 });
  });
});

const left = (task: Task, event: TaskEvent): Partial<Task> => {
  const outcome = transition(task, event, at);
  if (outcome.kind !== 'moved') throw new Error(`unchanged: ${outcome.why}`);
  return outcome.task;
};

describe('rules', () => {
  const failed: TaskEvent = { type: 'failed', reason: 'broken' };
  test.each([
    // case 70 of the retry table: (try_number, max_tries)
    ['failed', failed, { retries: 3 }, 1, 3, 'up_for_retry'],
    ['failed, tries used up', failed, { retries: 3 }, 4, 3, 'failed'],
    ['failed, no tries', failed, {}, 1, 0, 'failed'],
    ['timeout is not retried', EVENTS.timeout, { retries: 3 }, 1, 3, 'failed'],
    ['timeout with retry_on_timeout', EVENTS.timeout, { retries: 3, retry_on_timeout: true }, 1, 3, 'up_for_retry'],
    ['timeout with soft_fail', EVENTS.timeout, { soft_fail: true }, 1, 0, 'skipped'],
    [
      'timeout with never_fail',
      EVENTS.timeout,
      { never_fail: true, retries: 3, retry_on_timeout: true },
      1,
      3,
      'skipped',
    ],
    ['failed with soft_fail', failed, { soft_fail: true }, 1, 0, 'failed'],
    ['failed with never_fail', failed, { never_fail: true, retries: 3 }, 1, 3, 'skipped'],
    ['execution_timeout is a failure', EVENTS.execution_timeout, { retries: 3 }, 1, 3, 'up_for_retry'],
    ['execution_timeout with soft_fail', EVENTS.execution_timeout, { soft_fail: true }, 1, 0, 'failed'],
    ['fail_without_retry', EVENTS.fail_without_retry, { retries: 3 }, 1, 3, 'failed'],
    ['fail_without_retry with soft_fail', EVENTS.fail_without_retry, { soft_fail: true }, 1, 0, 'skipped'],
    ['fail_without_retry with never_fail', EVENTS.fail_without_retry, { never_fail: true }, 1, 0, 'skipped'],
  ] as const)('%s', (_name, event, exec, try_number, max_tries, state) => {
    const task = aTask(exec, { state: 'running', try_number, max_tries });
    expect(left(task, event).state).toBe(state);
  });

  test('a try has one deadline: reschedule, start and lease expiry never move it', () => {
    const events = fc.constantFrom<TaskEvent>(
      { type: 'start' },
      { type: 'reschedule', at: T0 },
      { type: 'reschedule_due' },
      { type: 'lease_expired' },
    );
    fc.assert(
      fc.property(fc.array(events, { maxLength: 30 }), (script) => {
        const begun = aTask({ timeout: 600 }, { mode: 'reschedule' });
        let task = begun;
        for (const [index, event] of script.entries()) {
          const outcome = transition(task, event, { now: T0 + index * 100_000, by: 'service' });
          if (outcome.kind === 'moved') task = outcome.task;
        }
        expect(task.deadline).toBe(begun.deadline);
        expect(task.started_at).toBe(begun.started_at);
        expect(task.try_number).toBe(1);
      }),
    );
  });

  test('a retry begins a new try with a new deadline; the tries stay as they were', () => {
    const waiting = left(aTask({ retries: 2, retry_delay: 60 }), failed) as Task;
    expect(waiting).toMatchObject({
      next_retry_at: NOW + 60_000,
      wake_at: NOW + 60_001,
      ended_at: NOW,
      reason: 'broken',
    });
    const early = transition(waiting, { type: 'retry_due' }, { now: NOW + 60_000, by: 'service' });
    expect(early).toEqual({ kind: 'unchanged', why: 'not_applicable' });
    const outcome = transition(waiting, { type: 'retry_due' }, { now: NOW + 70_000, by: 'service' });
    expect(outcome).toMatchObject({
      task: {
        state: 'sensing',
        try_number: 2,
        max_tries: 2,
        started_at: NOW + 70_000,
        deadline: NOW + 70_000 + 3600_000,
      },
    });
    const again = outcome.kind === 'moved' ? outcome.task : undefined;
    for (const gone of ['ended_at', 'reason', 'next_retry_at', 'wake_at', 'expires_at'])
      expect(again).not.toHaveProperty(gone);
  });

  test('a clear gives a task that has ended its tries again, counted on from the old try', () => {
    const ended = aTask({ retries: 3 }, { state: 'failed', try_number: 4, max_tries: 3, ended_at: T0, expires_at: 1 });
    const cleared = left(ended, { type: 'clear' });
    expect(cleared).toMatchObject({ state: 'sensing', try_number: 5, max_tries: 7, started_at: NOW });
    expect(cleared).not.toHaveProperty('expires_at');
  });

  test('the execution timeout is the deadline where it is the nearer one', () => {
    expect(aTask({ timeout: 600, execution_timeout: 60 }).deadline).toBe(T0 + 60_000);
    expect(aTask({ timeout: 600, execution_timeout: 6000 }).deadline).toBe(T0 + 600_000);
  });

  test('what pokes for itself is due at once, has a lease while it runs, and keeps its window over its reschedules', () => {
    const begun = aTask({}, { mode: 'reschedule' });
    expect(begun).toMatchObject({ state: 'queued', wake_at: T0 });
    const running = left(begun, { type: 'start', leaseUntil: NOW + 60_000 }) as Task;
    expect(running).toMatchObject({ state: 'running', wake_at: NOW + 60_000 });
    expect(left(running, { type: 'lease_expired' })).toMatchObject({ state: 'queued', wake_at: NOW, try_number: 1 });
    const waiting = left({ ...running, first_unknown_at: NOW }, { type: 'reschedule', at: NOW + 5000 });
    expect(waiting).toMatchObject({ state: 'up_for_reschedule', wake_at: NOW + 5000, first_unknown_at: NOW });
    expect(left({ ...running, first_unknown_at: NOW }, { type: 'clear' })).not.toHaveProperty('first_unknown_at');
  });

  test('an owner that starts is looked at when its heartbeat or its deadline is over', () => {
    const owner = { hostname: 'h', unixname: 'u', pid: 1 };
    expect(left(anExternalTask(), { type: 'start', owner })).toMatchObject({
      state: 'running',
      heartbeat_at: NOW,
      wake_at: NOW + 300_001,
    });
    expect(left(anExternalTask({ timeout: 10 }), { type: 'start', owner }).wake_at).toBe(T0 + 10_001);
  });

  test('an end leaves the indexes and is forgotten after 30 days', () => {
    const ended = left(anExternalTask(), { type: 'mark', state: 'failed' });
    expect(ended).toMatchObject({ state: 'failed', ended_at: NOW, expires_at: Math.ceil(NOW / 1000) + 2_592_000 });
    expect(ended).not.toHaveProperty('wake_at');
  });

  test('what is met carries its value', () => {
    expect(left(aTask(), { type: 'met', value: { size: 3 } }).result).toEqual({ size: 3 });
  });

  test('tries and delays of any size never throw', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.double({ min: 0, max: 1e12, noNaN: true }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (tries, delay, factor) => {
          const task = aTask(
            { retry_delay: delay, retry_exponential_backoff: factor },
            { try_number: tries, max_tries: tries },
          );
          const outcome = transition(task, failed, at);
          const due = outcome.kind === 'moved' ? (outcome.task.next_retry_at ?? 0) : undefined;
          expect(Number.isSafeInteger(due)).toBe(true);
        },
      ),
    );
  });
});
