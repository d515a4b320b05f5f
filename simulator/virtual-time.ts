/**
 * Virtual time: a queue of things to happen, and a clock that jumps from one to the next. Between two of them all
 * promises settle, so the production code runs as it is, and a night passes in seconds.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../functions/ports.ts';

/** In one and the same instant: the world has changed already, then steps, then ticks, then what they set off. */
export type Rank = 'step' | 'tick' | 'effect';

const RANKS: Readonly<Record<Rank, number>> = { step: 0, tick: 1, effect: 2 };

interface Entry {
  readonly at: number;
  readonly rank: number;
  readonly order: number;
  /** Missing once it was called off. */
  run: (() => void) | undefined;
}

/** Calls off what was to happen. */
export type CallOff = () => void;

export interface VirtualTime {
  readonly clock: Clock;
  now(): number;
  /** Has something happen at an instant (epoch ms); what is past happens now. */
  at(instant: number, rank: Rank, run: () => void): CallOff;
  /** Runs until an instant, or until nothing is left to happen. */
  runUntil(instant: number): Promise<void>;
}

/** After so many instants the process's own event loop has its turn. */
const TURNS = 2000;

/** @param start epoch ms */
export function createVirtualTime(start: number): VirtualTime {
  let now = start;
  let order = 0;
  let turns = 0;
  const heap: Entry[] = [];

  function at(instant: number, rank: Rank, run: () => void): CallOff {
    const entry: Entry = { at: Math.max(now, instant), rank: RANKS[rank], order: order++, run };
    push(heap, entry);
    return () => {
      entry.run = undefined;
    };
  }

  const clock: Clock = {
    now: () => now,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted === true) resolve();
        else {
          const callOff = at(now + Math.max(0, ms), 'effect', resolve);
          const abort = (): void => {
            callOff();
            resolve();
          };
          signal?.addEventListener('abort', abort, { once: true });
        }
      });
    },
  };

  return {
    clock,
    now: () => now,
    at,
    async runUntil(instant) {
      for (let next = heap[0]; next !== undefined && next.at <= instant; next = heap[0]) {
        if (next.run === undefined) {
          pop(heap);
          continue;
        }
        now = next.at;
        const { at: together, rank } = next;
        const started = order;
        // What falls on one instant (and was there before it) happens together ...
        while (next !== undefined && next.at === together && next.rank === rank && next.order < started) {
          pop(heap);
          next.run?.();
          next = heap[0];
        }
        // ... and all that it resolves runs to its next wait before anything else does.
        turns += 1;
        await (turns % TURNS === 0 ? setImmediate() : settled());
      }
      now = Math.max(now, instant);
    },
  };
}

/** Resolves when no promise is left to settle: a tick comes after all microtasks, at a quarter of an immediate's cost. */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function before(a: Entry, b: Entry): boolean {
  return a.at !== b.at ? a.at < b.at : a.rank !== b.rank ? a.rank < b.rank : a.order < b.order;
}

function push(heap: Entry[], entry: Entry): void {
  let index = heap.push(entry) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || !before(entry, above)) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const left = 2 * index + 1;
    const right = left + 1;
    const l = heap[left];
    if (l === undefined) break;
    const r = heap[right];
    const child = r !== undefined && before(r, l) ? right : left;
    const smaller = child === right && r !== undefined ? r : l;
    if (!before(smaller, last)) break;
    heap[index] = smaller;
    index = child;
  }
  heap[index] = last;
}
