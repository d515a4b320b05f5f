/** Planning a round of pokes: what is due in a tick, what shares a call, and when each starts. Pure. */
import { duesIn, nextDue } from './cadence.ts';
import type { Schedule } from './cadence.ts';
import { intervalMs } from './duration.ts';

/** A target as the planner sees it. */
export interface Candidate {
  /** `<queue>#<mode>#<hashcode>` */
  readonly key: string;
  readonly schedule: Schedule;
  /** What the rate budget and the spread count by: the sensor's first operation, or none. */
  readonly operation?: string;
  /** Candidates with equal groups share a call and are poked together. */
  readonly group: string;
  /** Where its shard's last tick ended, epoch ms. */
  readonly from: number;
  /** Poke it at once: owed by the last tick, past a deadline, or just resumed. */
  readonly urgent: boolean;
}

export interface Tick {
  readonly now: number;
  /** All pokes due up to here belong to this tick, epoch ms. */
  readonly to: number;
  /** Nothing starts later than this, epoch ms. */
  readonly startBy: number;
  /** More pokes of one operation than this are spread over the tick. */
  readonly spreadAbove: number;
  /** How many calls of an operation there are for this tick. @default as many as are wanted */
  readonly room?: (operation: string) => number;
}

/** Targets that are poked together, and when, epoch ms. */
export interface Round {
  readonly startAt: number;
  readonly keys: readonly string[];
}

export interface Plan {
  /** By start; in one start the nearest deadline first. */
  readonly rounds: readonly Round[];
  /** Due in this tick, but too late in it to start: first in the next. */
  readonly owed: readonly string[];
}

/** The most pokes of one target in a tick: the smallest interval is a second. */
const DUES_A_TICK = 120;

interface Group {
  readonly operation: string | undefined;
  readonly members: Candidate[];
  due: number;
  deadline: number;
}

/**
 * Plans the pokes of one tick.
 * What is due first in the tick is poked at once, or, where more than `spreadAbove` groups of one operation are,
 * spread evenly over the tick in the order of their due times; what is urgent comes before. Dues that passed are one poke
 * ("at most one catch-up"). What an interval under the tick makes due again is poked at its own time; where the tick has
 * not room for all of it, not within an interval of a catch-up poke: a budget that is short for one is not asked for two.
 */
export function planPokes(candidates: readonly Candidate[], tick: Tick): Plan {
  const short = shortOperations(candidates, tick);
  const groups = new Map<string, Group>();
  const again: Round[] = [];
  const owed: string[] = [];
  for (const candidate of candidates) {
    const [first, ...later] = duesOf(candidate, tick, short);
    if (first === undefined) continue;
    addToGroup(groups, candidate, candidate.urgent ? 0 : Math.min(first, nextDue(candidate.schedule, candidate.from)));
    for (const due of later) {
      if (due <= tick.startBy) again.push({ startAt: due, keys: [candidate.key] });
      else owed.push(candidate.key);
    }
  }
  const rounds = [...startsOf([...groups.values()], tick, owed), ...together(again)];
  rounds.sort((a, b) => a.startAt - b.startAt);
  return { rounds, owed: [...new Set(owed)] };
}

/** The operations of which the tick has not room for all that is due in it. */
function shortOperations(candidates: readonly Candidate[], tick: Tick): ReadonlySet<string> {
  const wanted = new Map<string, Set<string>>();
  for (const candidate of candidates) {
    const { operation, group } = candidate;
    if (operation === undefined) continue;
    const calls = wanted.get(operation) ?? new Set();
    wanted.set(operation, calls);
    for (const [index, due] of duesOf(candidate, tick, NONE).entries()) calls.add(`${group} ${index === 0 ? 0 : due}`);
  }
  const { room = () => Number.POSITIVE_INFINITY } = tick;
  return new Set([...wanted].filter(([operation, { size }]) => size > room(operation)).map(([operation]) => operation));
}

const NONE: ReadonlySet<string> = new Set();

function duesOf(
  { schedule, from, urgent, operation }: Candidate,
  tick: Tick,
  short: ReadonlySet<string>,
): readonly number[] {
  const passed = urgent || nextDue(schedule, from) <= tick.now;
  const ahead = duesIn(schedule, Math.max(from, tick.now), tick.to, DUES_A_TICK);
  // A deadline that falls into the tick is looked at in the first tick after it: before it, nothing can end.
  const wanted = ahead.filter((due) => due !== schedule.deadlineMs + 1 || due <= tick.now);
  if (!passed) return wanted;
  const servedMs = operation !== undefined && short.has(operation) ? intervalMs(schedule.cadence.poke_interval) : 0;
  return [tick.now, ...wanted.filter((due) => due - tick.now >= servedMs)];
}

function addToGroup(groups: Map<string, Group>, candidate: Candidate, due: number): void {
  const group = groups.get(candidate.group);
  const deadline = candidate.schedule.deadlineMs;
  if (group === undefined) {
    groups.set(candidate.group, { operation: candidate.operation, members: [candidate], due, deadline });
    return;
  }
  group.members.push(candidate);
  group.due = Math.min(group.due, due);
  group.deadline = Math.min(group.deadline, deadline);
}

function startsOf(groups: readonly Group[], tick: Tick, owed: string[]): Round[] {
  const byOperation = Map.groupBy(groups, ({ operation }) => operation ?? '');
  return [...byOperation.values()].flatMap((same) => {
    const ordered = same.toSorted((a, b) => a.due - b.due || a.deadline - b.deadline);
    const spread = same.length > tick.spreadAbove ? Math.max(0, tick.startBy - tick.now) / same.length : 0;
    return ordered.flatMap((group, index) => roundsOf(group, tick, Math.floor(tick.now + index * spread), owed));
  });
}

/** One round for the group, but for members that must not be poked before an instant of their own. */
function roundsOf(group: Group, tick: Tick, startAt: number, owed: string[]): Round[] {
  // A deadline that has passed waits for no instant: its wait has to end.
  const mayStart = ({ schedule }: Candidate): boolean =>
    (schedule.notBeforeMs ?? 0) <= startAt || schedule.deadlineMs < startAt;
  const early = group.members.filter(mayStart);
  const late = group.members.filter((member) => !mayStart(member));
  const rounds: Round[] = early.length === 0 ? [] : [{ startAt, keys: early.map(({ key }) => key) }];
  for (const { key, schedule } of late) {
    const at = schedule.notBeforeMs ?? startAt;
    if (at <= tick.startBy) rounds.push({ startAt: at, keys: [key] });
    else owed.push(key);
  }
  return rounds;
}

/** Dues at the same instant in one round: a batched sensor's members share their phase. */
function together(rounds: readonly Round[]): Round[] {
  const byStart = Map.groupBy(rounds, ({ startAt }) => startAt);
  return [...byStart].map(([startAt, same]) => ({ startAt, keys: same.flatMap(({ keys }) => keys) }));
}

/** When something is due after the tick, and how much within one tick from the tick's end or from there. */
export interface Outlook {
  readonly next_due_at?: number;
  readonly due: number;
}

/**
 * What the next tick has to expect.
 * @param schedules of the targets that stay awake
 * @param wakes instants (epoch ms) at which tasks themselves have to be looked at
 * @param owed how many pokes are owed
 * @param to end of this tick, epoch ms
 * @param tickMs length of a tick
 */
export function outlook(
  schedules: readonly Schedule[],
  wakes: readonly number[],
  owed: number,
  to: number,
  tickMs: number,
): Outlook {
  // A deadline within this tick is for the next one to judge.
  const isOver = ({ deadlineMs }: Schedule): boolean => deadlineMs < to;
  const nexts = [
    ...schedules.map((schedule) => (isOver(schedule) ? to : nextDue(schedule, to))),
    ...wakes.map((at) => Math.max(at, to)),
  ];
  const earliest = nexts.reduce((a, b) => Math.min(a, b), owed > 0 ? to : Number.POSITIVE_INFINITY);
  if (!Number.isFinite(earliest)) return { due: 0 };
  // The ticks to come do not fall on the next due time: count from the end of this one where it is near.
  const from = earliest <= to + tickMs ? to : earliest - 1;
  const pokes = schedules.reduce((sum, schedule) => {
    return sum + Math.max(isOver(schedule) ? 1 : 0, duesIn(schedule, from, from + tickMs, DUES_A_TICK).length);
  }, 0);
  const woken = wakes.filter((at) => Math.max(at, to) <= from + tickMs).length;
  return { next_due_at: earliest, due: pokes + woken + owed };
}
