/**
 * What a wait costs in each mode: calls, transitions, invocations, reads, writes, dollars. A model, not a bill: it counts
 * what the code does (docs/adr), for one task and the duplicates that share its condition, and leaves out free tiers.
 */
import { duesIn } from './cadence.ts';
import type { Schedule } from './cadence.ts';
import { gigabytesOf, PRICES } from './prices.ts';
import type { Prices } from './prices.ts';
import type { ExecutionContext, Mode } from './task.ts';

export interface Usage {
  /** Calls of the watched API, shared by all of the duplicates where the mode shares. */
  readonly calls: number;
  /** Step Functions state transitions. */
  readonly transitions: number;
  /** Lambda invocations that exist for these tasks. */
  readonly invocations: number;
  /** Lambda GB-seconds. */
  readonly gb_seconds: number;
  /** DynamoDB read and write request units, indexes included. */
  readonly reads: number;
  readonly writes: number;
  /** Most of a worker's time that one of these tasks holds: seconds. */
  readonly worker_seconds: number;
}

export interface ModeEstimate extends Usage {
  readonly mode: Mode;
  readonly dollars: number;
  /** How late after its condition holds a task may learn of it at the worst, seconds (a call's own time left out). */
  readonly detection_delay: number;
}

export interface Wait {
  readonly exec: Pick<ExecutionContext, 'poke_interval' | 'exponential_backoff' | 'max_wait' | 'timeout'>;
  /** How many equal tasks wait for it. */
  readonly duplicates: number;
  /** How long it is waited for, seconds. */
  readonly seconds: number;
  /** Calls that one poke makes; 0 where nobody is asked (a date). */
  readonly callsAPoke: number;
  /** A date: poked when it has come, and not before. */
  readonly atOnce: boolean;
}

/** Write units (DESIGN, section 10): a task's two base writes and their index entries; a target's from join to delete. */
const TASK_WRITES = 7;
const TARGET_WRITES = 6;
/** A task that pokes for itself: start and reschedule, each with state-index and shardcode-index. */
const RUN_WRITES = 10;
/** A lease that is renewed: base and shardcode-index. */
const LEASE_WRITES = 3;
const LEASE_SECONDS = 90;

const TICK_SECONDS = 60;
/** An awake target is read in every tick: eight of them share a unit. */
const READS_A_TICK = 0.07;
/** Wait, Poke, Choice; the first poke is made before an execution begins. */
const TRANSITIONS_A_POKE = 3;
/** The target, and its queue. */
const READS_A_POKE = 2;
/** Pokes of one execution before it hands over. */
const POKES_AN_EXECUTION = 1500;
const POKE_SECONDS = 0.1;
const POKE_WORKER_SECONDS = 840;
/** Tasks that one submit, one stream batch, one tick handles together. */
const TOGETHER = 100;

/** More pokes of a growing interval than this are not counted one by one. */
const COUNTED = 10_000;

/** @returns how many pokes the wait takes: the first one, and what falls due until it ends. */
export function pokesOf(wait: Wait): number {
  if (wait.atOnce) return 2;
  const schedule: Schedule = {
    cadence: {
      poke_interval: wait.exec.poke_interval,
      exponential: wait.exec.exponential_backoff,
      ...(wait.exec.max_wait === undefined ? {} : { max_wait: wait.exec.max_wait }),
    },
    identity: 'estimate',
    phaseMs: 0,
    startMs: 0,
    deadlineMs: wait.exec.timeout * 1000,
  };
  if (!wait.exec.exponential_backoff) return 1 + Math.ceil(wait.seconds / wait.exec.poke_interval);
  const dues = duesIn(schedule, 0, wait.seconds * 1000, COUNTED);
  const last = dues.at(-1) ?? 0;
  // A capped series is even in the end: what is not counted goes on as what was.
  return 1 + (dues.length < COUNTED ? dues.length : Math.ceil((COUNTED * wait.seconds * 1000) / last));
}

/** @returns what the wait costs in each mode. */
export function estimate(wait: Wait, prices: Prices = PRICES): readonly ModeEstimate[] {
  const pokes = pokesOf(wait);
  const usages: Readonly<Record<Mode, Usage>> = {
    smart: smart(wait, pokes),
    deferrable: deferrable(wait, pokes),
    reschedule: reschedule(wait, pokes),
    poke: poke(wait, pokes),
  };
  const modes: readonly Mode[] = ['smart', 'deferrable', 'reschedule', 'poke'];
  return modes.map((mode) => ({
    mode,
    ...usages[mode],
    dollars: dollarsOf(usages[mode], wait, prices),
    detection_delay: detectionDelay(mode, wait),
  }));
}

/** What every mode has: the submit, the stream's readers. */
function common({ duplicates }: Wait): number {
  return 3 * Math.ceil(duplicates / TOGETHER);
}

function smart(wait: Wait, pokes: number): Usage {
  const ticks = wait.seconds / TICK_SECONDS;
  const busy = (pokes * wait.callsAPoke + wait.duplicates / TOGETHER) * POKE_SECONDS;
  return {
    calls: pokes * wait.callsAPoke,
    transitions: 0,
    // Its share of the workers that are there for all: one of a hundred that fall due together.
    invocations: common(wait) + 1 + pokes / TOGETHER,
    gb_seconds: busy * gigabytesOf('shard-worker'),
    reads: wait.duplicates + ticks * READS_A_TICK,
    writes: wait.duplicates * TASK_WRITES + TARGET_WRITES,
    worker_seconds: 0,
  };
}

function deferrable(wait: Wait, pokes: number): Usage {
  const deferred = pokes - 1;
  const executions = Math.ceil(deferred / POKES_AN_EXECUTION);
  return {
    calls: pokes * wait.callsAPoke,
    transitions: deferred * TRANSITIONS_A_POKE + executions,
    invocations: common(wait) + 1 + pokes,
    gb_seconds: pokes * POKE_SECONDS * gigabytesOf('deferral'),
    reads: wait.duplicates + pokes * READS_A_POKE,
    writes: wait.duplicates * TASK_WRITES + TARGET_WRITES + 2 * executions,
    worker_seconds: 0,
  };
}

function reschedule(wait: Wait, pokes: number): Usage {
  const runs = pokes * wait.duplicates;
  return {
    calls: runs * wait.callsAPoke,
    transitions: 0,
    invocations: common(wait) + runs,
    gb_seconds: runs * POKE_SECONDS * gigabytesOf('poke-worker'),
    reads: runs * 2,
    writes: wait.duplicates * TASK_WRITES + runs * RUN_WRITES,
    worker_seconds: pokes * POKE_SECONDS,
  };
}

function poke(wait: Wait, pokes: number): Usage {
  const runs = wait.duplicates * Math.max(1, Math.ceil(wait.seconds / POKE_WORKER_SECONDS));
  const renewals = wait.duplicates * Math.floor(wait.seconds / LEASE_SECONDS);
  return {
    calls: pokes * wait.duplicates * wait.callsAPoke,
    transitions: 0,
    invocations: common(wait) + runs,
    gb_seconds: wait.duplicates * wait.seconds * gigabytesOf('poke-worker'),
    reads: runs * 2,
    writes: wait.duplicates * TASK_WRITES + runs * RUN_WRITES + renewals * LEASE_WRITES,
    worker_seconds: wait.seconds,
  };
}

function dollarsOf(usage: Usage, { duplicates }: Wait, prices: Prices): number {
  const million =
    usage.writes * prices.writes +
    usage.reads * prices.reads +
    usage.transitions * prices.transitions +
    usage.invocations * prices.invocations +
    Math.ceil(duplicates / TOGETHER) * prices.requests +
    duplicates * prices.events;
  return million / 1_000_000 + usage.gb_seconds * prices.gbSecond;
}

/** Smart mode acts at ticks: what would come sooner comes with the next one, a few seconds of it lost at its end. */
const SMART_SECONDS = 10;

function detectionDelay(mode: Mode, { exec, atOnce }: Wait): number {
  const interval = exec.exponential_backoff ? (exec.max_wait ?? exec.timeout) : exec.poke_interval;
  switch (mode) {
    case 'smart':
      return atOnce ? SMART_SECONDS : Math.max(interval, SMART_SECONDS);
    case 'deferrable':
      return atOnce ? 1 : interval;
    case 'reschedule':
      return atOnce ? TICK_SECONDS : Math.max(interval, TICK_SECONDS);
    case 'poke':
      return atOnce ? 1 : interval;
  }
}

/** What `auto` takes, and why in words. */
export interface Choice {
  readonly mode: 'smart' | 'deferrable';
  readonly why: string;
}

/**
 * The cheapest of smart and deferrable that keeps the wanted precision: an interval under 10 s is more than smart mode
 * promises (DESIGN, section 5).
 */
export function chooseMode(wait: Wait, prices: Prices = PRICES): Choice {
  const estimates = estimate(wait, prices);
  const of = (mode: Mode): number => estimates.find((one) => one.mode === mode)?.dollars ?? 0;
  const [smartCost, deferrableCost] = [of('smart'), of('deferrable')];
  const costs = `smart ${smartCost.toExponential(2)} $, deferrable ${deferrableCost.toExponential(2)} $`;
  if (!wait.atOnce && wait.exec.poke_interval < SMART_SECONDS) {
    return { mode: 'deferrable', why: `an interval under ${SMART_SECONDS} s is more than smart mode keeps (${costs})` };
  }
  return smartCost <= deferrableCost
    ? { mode: 'smart', why: `the cheaper of the two that keep the interval (${costs})` }
    : { mode: 'deferrable', why: `the cheaper of the two that keep the interval (${costs})` };
}
