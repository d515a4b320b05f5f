import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_QUEUE } from '../../functions/core/queue.ts';
import { desiredWorkers } from '../../functions/core/scaling.ts';

const settings = { ...DEFAULT_QUEUE, worker_concurrency: 16, cooldown_seconds: 30 };
const load = { running: 0, queued: 0, counted: true, settings, now: 1_000_000 };

describe('desired workers', () => {
  test.each([
    [0, 0, 0],
    [0, 1, 1],
    [32, 30, 4],
    [16, 0, 1],
    [16, 1, 2],
  ])('case 111: running %i, due %i of 16 a worker -> %i', (running, queued, desired) => {
    expect(desiredWorkers({ ...load, running, queued }).desired).toBe(desired);
  });

  test('case 113: what runs counts, so the busy worker of four stays', () => {
    expect(desiredWorkers({ ...load, running: 1, last: 4 }).desired).toBe(1);
  });

  test.each([
    [29, 1],
    [30, 0],
    [31, 0],
  ])('case 114: nothing due for %i s of a cooldown of 30 s -> %i', (seconds, desired) => {
    const decision = desiredWorkers({ ...load, busyAt: load.now - seconds * 1000, last: 1 });
    expect(decision).toMatchObject({ desired, busy_at: load.now - seconds * 1000 });
  });

  test('case 114: a task in second 29 starts the cooldown anew', () => {
    const busy = desiredWorkers({ ...load, queued: 1, busyAt: load.now - 29_000 });
    expect(busy.busy_at).toBe(load.now);
    const later = { ...load, busyAt: busy.busy_at };
    expect(desiredWorkers({ ...later, now: load.now + 29_000 }).desired).toBe(1);
    expect(desiredWorkers({ ...later, now: load.now + 31_000 }).desired).toBe(0);
  });

  test('case 114: the cooldown is for the way to 0 alone', () => {
    const busyAt = load.now - 1000;
    expect(desiredWorkers({ ...load, queued: 16, busyAt, last: 8 }).desired).toBe(1);
    const two = { ...settings, min_workers: 2 };
    expect(desiredWorkers({ ...load, settings: two, busyAt }).desired).toBe(2);
  });

  test('case 115: each queue by itself', () => {
    expect(desiredWorkers({ ...load, queued: 17 }).desired).toBe(2);
    expect(desiredWorkers(load).desired).toBe(0);
  });

  test('case 116: what only waits is not in the sum: none due, none wanted', () => {
    expect(desiredWorkers(load)).toEqual({ desired: 0, reason: 'nothing is due: the minimum' });
  });

  test.each([
    [7, 7],
    [0, 0],
    [undefined, 1],
  ])('case 117: counting failed with %p before -> %i', (last, desired) => {
    const decision = desiredWorkers({ ...load, counted: false, last, busyAt: 5 });
    expect(decision).toEqual({ desired, reason: 'counting failed: unchanged', busy_at: 5 });
  });

  test.each([
    [16, 4],
    [62, 1],
    [8, 8],
  ])('case 118: 62 of %i a worker -> %i', (worker_concurrency, desired) => {
    expect(desiredWorkers({ ...load, queued: 62, settings: { ...settings, worker_concurrency } }).desired).toBe(
      desired,
    );
  });

  test('a dormant target keeps one worker that looks at it, and makes nothing busy', () => {
    expect(desiredWorkers({ ...load, dormant: true })).toEqual({
      desired: 1,
      reason: 'dormant targets are looked at',
    });
    expect(desiredWorkers({ ...load, dormant: true, queued: 17 }).desired).toBe(2);
  });

  test('the bounds: of the queue', () => {
    const bounded = { ...settings, min_workers: 2, max_workers: 3 };
    expect(desiredWorkers({ ...load, settings: bounded }).desired).toBe(2);
    expect(desiredWorkers({ ...load, settings: bounded, queued: 1 })).toEqual({
      desired: 2,
      reason: '0 running + 1 due, 16 a worker: the minimum',
    });
    expect(desiredWorkers({ ...load, settings: bounded, queued: 1000 })).toEqual({
      desired: 3,
      reason: '0 running + 1000 due, 16 a worker: the maximum',
      busy_at: load.now,
    });
  });

  test('any numbers: within the bounds, and at least one for any work', () => {
    const count = fc.nat({ max: 1_000_000 });
    fc.assert(
      fc.property(
        count,
        count,
        fc.integer({ min: 1, max: 1000 }),
        fc.nat(5),
        fc.nat(50),
        (running, queued, size, min, more) => {
          const max_workers = min + more + 1;
          const bounded = { ...settings, worker_concurrency: size, min_workers: min, max_workers };
          const { desired } = desiredWorkers({ ...load, running, queued, settings: bounded });
          expect(desired >= min && desired <= max_workers).toBe(true);
          expect(desired * size >= running + queued || desired === max_workers).toBe(true);
        },
      ),
    );
  });
});
