/** The same waits without Sensorium, on virtual time: a worker a task that asks and sleeps, a state machine a task. */
import type { Answerer } from '../simulator/world/sender.ts';
import { CALL_MS } from '../simulator/sim-table.ts';
import { createVirtualTime } from '../simulator/virtual-time.ts';
import type { VirtualTime } from '../simulator/virtual-time.ts';
import { START } from './play-out.ts';
import { peakOf } from './usage.ts';
import type { Used } from './usage.ts';

/** One wait: how it asks, and what it must hear. */
export interface PlainWait {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly isMet: (answer: unknown) => boolean;
  /** When its condition holds, second. */
  readonly heldAt: number;
}

export interface Plain {
  readonly waits: readonly PlainWait[];
  /** Of the world at a second. */
  readonly world: (second: () => number) => Answerer;
  readonly intervalSeconds: number;
}

export interface PlainOutcome {
  readonly used: Used;
  /** Seconds from the condition to its notice. */
  readonly delays: readonly number[];
}

const NOTHING: Used = {
  calls: 0,
  writes: 0,
  reads: 0,
  transitions: 0,
  invocations: 0,
  gbSeconds: 0,
  workerSeconds: 0,
  peakWorkers: 0,
  requests: 0,
  events: 0,
};

/** A worker of half a gigabyte that stays; Lambda ends one after 15 minutes, so that another goes on. */
const WORKER_GB = 0.5;
const WORKER_SECONDS = 900;

/** One worker a task, which asks, sleeps and asks again until it is met. */
export async function plainSensor(plain: Plain): Promise<PlainOutcome> {
  const { polls, delays } = await poll(plain);
  const seconds = polls.map(({ startedAt, endedAt }) => (endedAt - startedAt) / 1000);
  const workerSeconds = seconds.reduce((sum, one) => sum + one, 0);
  return {
    delays,
    used: {
      ...NOTHING,
      calls: polls.reduce((sum, { calls }) => sum + calls, 0),
      invocations: seconds.reduce((sum, one) => sum + Math.ceil(one / WORKER_SECONDS), 0),
      gbSeconds: workerSeconds * WORKER_GB,
      workerSeconds,
      peakWorkers: peakOf(polls),
    },
  };
}

/**
 * One execution of a state machine a task: Poke (an SDK integration, no Lambda), its Choice where the answer and not an
 * error says that it is not met, Wait, Poke, ..., and last Done.
 * @param statesAPoke states from one poke to the next: 2 without a Choice, 3 with it
 */
export async function stepFunctionsLoop(plain: Plain, statesAPoke: number): Promise<PlainOutcome> {
  const { polls, delays } = await poll(plain);
  const calls = polls.reduce((sum, one) => sum + one.calls, 0);
  // The last poke is followed by no Wait, but by Done.
  return { delays, used: { ...NOTHING, calls, transitions: calls * statesAPoke } };
}

interface Poll {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly calls: number;
}

async function poll({ waits, world, intervalSeconds }: Plain) {
  const time = createVirtualTime(START);
  const answer = world(() => (time.now() - START) / 1000);
  const polls: Poll[] = [];
  const delays: number[] = [];
  const all = waits.map(async (wait) => {
    const calls = await pollOne(time, wait, answer, intervalSeconds);
    polls.push({ startedAt: START, endedAt: time.now(), calls });
    delays.push((time.now() - START) / 1000 - wait.heldAt);
  });
  await time.runUntil(Number.MAX_SAFE_INTEGER);
  await Promise.all(all);
  return { polls, delays };
}

/** @returns how many calls it took. */
async function pollOne(time: VirtualTime, wait: PlainWait, answer: Answerer, intervalSeconds: number): Promise<number> {
  for (let calls = 1; ; calls += 1) {
    const isMet = attempt(() => wait.isMet(answer(wait.operation, wait.input)));
    await time.clock.sleep(CALL_MS);
    if (isMet) return calls;
    await time.clock.sleep(intervalSeconds * 1000 - CALL_MS);
  }
}

/** What throws is not there yet. */
function attempt(ask: () => boolean): boolean {
  try {
    return ask();
  } catch {
    return false;
  }
}
