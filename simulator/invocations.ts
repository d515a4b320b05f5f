/** Invocations: they start a little later, run with a clock of their own, may come twice, and may be killed. */
import type { Faults } from './faults.ts';
import type { Fault } from './format.ts';
import type { Spent } from './account.ts';
import { createLife } from './life.ts';
import type { FunctionName, Life } from './life.ts';
import type { VirtualTime } from './virtual-time.ts';

/** An invocation starts after so long. */
const START_MS = 100;

/** After so long Lambda ends it. */
const TIMEOUT_MS: Readonly<Record<FunctionName, number>> = {
  api: 29_000,
  'execution-api': 29_000,
  dispatcher: 60_000,
  'shard-worker': 60_000,
  'poke-worker': 900_000,
  router: 60_000,
  events: 60_000,
  notifier: 60_000,
  deferral: 60_000,
};

export type Outcome = 'done' | 'failed' | 'killed';

/** One invocation that is over: how long it held a worker, epoch ms. */
export interface Invoked {
  readonly name: FunctionName;
  readonly startedAt: number;
  readonly endedAt: number;
  /** What its time went into. */
  readonly spent: Spent;
}

export interface Invocations {
  /** Starts one (two, where the scenario duplicates it). @returns how the first one ended. */
  start(name: FunctionName, run: (life: Life) => Promise<unknown>): Promise<Outcome>;
  /** Kills the oldest running invocation of a function, or the next one to start, after so many more writes. */
  killNext(name: FunctionName, afterWrites: number): void;
  /** Told of every invocation when it ends. */
  readonly onEnd: (listener: (invoked: Invoked) => void) => void;
  /** @returns the most shard workers and poke workers that there were at once, from an instant on, epoch ms. */
  peak(from: number): number;
  /** @returns errors that invocations ended with: defects, unless a fault explains them. */
  readonly errors: readonly string[];
}

/** What the service's max_concurrency is about. */
const isWorker = (name: FunctionName): boolean => name === 'shard-worker' || name === 'poke-worker';

export function createInvocations(deps: {
  readonly time: VirtualTime;
  readonly faults: Faults;
  readonly start: number;
  readonly scripted: readonly Fault[];
}): Invocations {
  const { time, faults, start, scripted } = deps;
  const running: Life[] = [];
  const doomed: { name: FunctionName; afterWrites: number }[] = [];
  const doubled: FunctionName[] = [];
  const errors: string[] = [];
  const listeners: ((invoked: Invoked) => void)[] = [];
  /** How many there were when each of them began. */
  const crowd: { readonly at: number; readonly workers: number }[] = [];

  function killNext(name: FunctionName, afterWrites: number): void {
    const victim = running.find((life) => life.name === name);
    if (victim === undefined) doomed.push({ name, afterWrites });
    else victim.dieAfter(afterWrites);
  }

  for (const fault of scripted) {
    if ('kill' in fault) {
      time.at(start + fault.at * 1000, 'step', () => killNext(fault.kill, fault.after_writes));
    }
    if ('duplicate' in fault) {
      time.at(start + fault.at * 1000, 'step', () => void doubled.push(fault.duplicate));
    }
  }

  function launch(name: FunctionName, run: (life: Life) => Promise<unknown>): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    time.at(time.now() + START_MS, 'effect', () => {
      const life = createLife(name, time, () => faults.skewMs(name));
      const doom = doomed.findIndex((one) => one.name === name);
      if (doom >= 0) life.dieAfter(doomed.splice(doom, 1)[0]?.afterWrites ?? 0);
      running.push(life);
      const startedAt = time.now();
      if (isWorker(name)) {
        crowd.push({ at: startedAt, workers: running.filter((one) => isWorker(one.name)).length });
      }
      const timeOut = time.at(time.now() + TIMEOUT_MS[name], 'effect', () => life.kill());
      const end = (outcome: Outcome): void => {
        timeOut();
        const index = running.indexOf(life);
        if (index < 0) return;
        running.splice(index, 1);
        for (const listener of listeners)
          listener({ name, startedAt, endedAt: time.now(), spent: life.account.spent() });
        resolve(outcome);
      };
      life.onDeath(() => end('killed'));
      run(life).then(
        () => end('done'),
        (error: unknown) => {
          errors.push(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
          end('failed');
        },
      );
    });
    return promise;
  }

  return {
    errors,
    killNext,
    peak: (from) => crowd.reduce((peak, { at, workers }) => (at < from ? peak : Math.max(peak, workers)), 0),
    onEnd: (listener) => void listeners.push(listener),
    start(name, run) {
      const twice = doubled.indexOf(name);
      if (twice >= 0) {
        doubled.splice(twice, 1);
        void launch(name, run);
      }
      return launch(name, run);
    },
  };
}
