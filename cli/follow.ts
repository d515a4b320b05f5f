/** Looking at known tasks again and again until they have ended. */
import pLimit from 'p-limit';
import type { SensoriumClient, Task } from '../client/index.ts';
import { ACTIVE_STATES, isTerminal } from '../functions/core/task.ts';
import type { Io } from './io.ts';

/** So many are read one by one; more, by the listings of their queues. */
const ONE_BY_ONE = 25;
const AT_ONCE = 8;

/** The pause between two looks: a tenth of the time that it goes on already, within bounds, ms. */
const PAUSE_MS = { least: 1_000, most: 15_000 };

export function pauseMs(sinceMs: number): number {
  return Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, sinceMs / 10));
}

export type Tasks = Map<string, Task>;

/** Reads the tasks of the map that have not ended. */
export async function refresh(client: SensoriumClient, tasks: Tasks): Promise<void> {
  const open = [...tasks.values()].filter(({ state }) => !isTerminal(state));
  const unseen = new Set(open.map(({ id }) => id));
  if (open.length > ONE_BY_ONE) {
    for (const queue of new Set(open.map((task) => task.queue))) {
      for await (const task of client.listAll({ queue, state: ACTIVE_STATES })) {
        if (unseen.delete(task.id)) tasks.set(task.id, task);
      }
    }
  }
  // What the listing of the active ones does not have has ended, or the index is late: the task itself says.
  await pLimit(AT_ONCE).map([...unseen], async (id) => void tasks.set(id, await client.get(id)));
}

/** Looks in a row that may fail: what goes on for hours outlives a service that is down for a minute. */
const MAX_FAILURES = 5;

/** @returns a function that looks, and passes over a failure that may pass by itself. */
export function patiently(io: Io): (look: () => Promise<void>) => Promise<void> {
  let failures = 0;
  return async (look) => {
    try {
      await look();
      failures = 0;
    } catch (error) {
      failures += 1;
      if (io.signal.aborted || failures >= MAX_FAILURES || !mayPass(error)) throw error;
    }
  };
}

function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'NoAnswerError') return true;
  return error.name === 'SensoriumError' && 'status' in error && (error.status === 429 || Number(error.status) >= 500);
}

export interface FollowOptions {
  /** Seconds; undefined: until they have ended. */
  readonly limit?: number;
  readonly onLook?: (tasks: Tasks) => void | Promise<void>;
}

/** Goes on until all have ended or the limit is over. @throws Interrupted, with the map as it was seen last */
export async function follow(
  client: SensoriumClient,
  io: Io,
  tasks: Tasks,
  { limit = Number.POSITIVE_INFINITY, onLook }: FollowOptions = {},
): Promise<void> {
  const startedAt = io.now();
  const patient = patiently(io);
  for (;;) {
    await onLook?.(tasks);
    if ([...tasks.values()].every(({ state }) => isTerminal(state))) return;
    const sinceMs = io.now() - startedAt;
    const leftMs = limit * 1_000 - sinceMs;
    if (leftMs <= 0) return;
    await io.sleep(Math.min(leftMs, pauseMs(sinceMs)));
    await patient(() => refresh(client, tasks));
  }
}
