/**
 * One invocation's life: its clock (with its skew), what it may still do, and its end. A killed invocation does not
 * throw: it simply never goes on, as a process that is gone.
 */
import type { Clock } from '../functions/ports.ts';
import { createAccount } from './account.ts';
import type { Account } from './account.ts';
import type { VirtualTime } from './virtual-time.ts';

export type FunctionName =
  | 'api'
  | 'execution-api'
  | 'dispatcher'
  | 'shard-worker'
  | 'poke-worker'
  | 'router'
  | 'events'
  | 'notifier'
  | 'deferral';

export interface Life {
  readonly name: FunctionName;
  readonly clock: Clock;
  readonly alive: () => boolean;
  /** Ends it: nothing that it waits for comes any more. */
  kill(): void;
  /** It dies before the write after its next `writes` ones. */
  dieAfter(writes: number): void;
  /** Called before each write: whether it is still alive to make it. */
  mayWrite(): boolean;
  /** The answer, or never, if it is dead when the answer comes. */
  hears<Answer>(answer: Promise<Answer>): Promise<Answer>;
  readonly onDeath: (listener: () => void) => void;
  /** What its time went into. */
  readonly account: Account;
}

/** @param skewMs by how much its clock is wrong, now */
export function createLife(name: FunctionName, time: VirtualTime, skewMs: () => number): Life {
  let dead = false;
  let writesLeft = Number.POSITIVE_INFINITY;
  const listeners: (() => void)[] = [];
  const never = new Promise<never>(() => undefined);
  const account = createAccount(() => time.now());

  function kill(): void {
    if (dead) return;
    dead = true;
    for (const listener of listeners) listener();
  }

  function hears<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return answer.then(
      (value) => (dead ? never : value),
      (error: unknown) => {
        if (dead) return never;
        throw error;
      },
    );
  }

  /** A sleep that can be called off watches a call; any other is a wait that holds the invocation. */
  async function waiting(ms: number): Promise<void> {
    const over = account.begin('wait');
    await time.clock.sleep(ms);
    over();
  }

  return {
    name,
    clock: {
      now: () => time.now() + skewMs(),
      sleep: (ms, signal) => hears(signal === undefined ? waiting(ms) : time.clock.sleep(ms, signal)),
    },
    alive: () => !dead,
    kill,
    dieAfter(writes) {
      writesLeft = writes;
    },
    mayWrite() {
      if (dead) return false;
      if (writesLeft === 0) {
        kill();
        return false;
      }
      writesLeft -= 1;
      return true;
    },
    hears,
    onDeath: (listener) => void listeners.push(listener),
    account,
  };
}
