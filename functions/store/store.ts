import type { Cadence, Target, TargetId } from '../core/target.ts';
import type { Owner, State, Task } from '../core/task.ts';
import type { QueueRecord, ShardRecord } from '../core/queue.ts';
import type { Observation } from '../core/observation.ts';
import type { Slots } from '../core/slots.ts';
import type { Receiver, Untold } from '../core/untold.ts';
import type { PageKey, TableError } from './table.ts';

/** An item that could not be read: its key and what is wrong with it. It stops nobody else. */
export interface Poison {
  readonly key: string;
  readonly problem: string;
}

/** Calls of a rate budget that somebody wants to make. */
export interface Booking {
  /** At most so many, and fewer where there is no room for all. */
  readonly calls: number;
  /** How far apart they are, ms. */
  readonly everyMs: number;
  /** Where nothing is booked, the first call is at once, and the others are counted from so much later, ms. */
  readonly leadMs: number;
  /** Nothing is booked beyond this instant, epoch ms. */
  readonly until: number;
  /** Up to which instant calls were booked when the caller last heard of it; spares a write where it still holds. */
  readonly known?: number | undefined;
}

export interface Booked {
  readonly from: number;
  readonly calls: number;
  readonly begun: boolean;
}

export type MoveAnswer =
  | { readonly moved: true; readonly task: Task }
  /** Somebody else was faster: nothing was written. `current` is the task as it stands, missing if it is gone. */
  | { readonly moved: false; readonly current?: Task };

export type AddAnswer =
  | { readonly added: true; readonly task: Task }
  | { readonly added: false; readonly existing: Task };

/** Who says that a run lives. */
export interface Beat extends Pick<Owner, 'hostname' | 'pid'> {
  /** The queue that its task has to be of. @default - any */
  readonly queue?: string | undefined;
}

/** What a join leaves behind. */
export interface Joined {
  readonly target: Target;
  /** Whether this join may ask for a poke at once (at most one in 30 s and target). */
  readonly firstPoke: boolean;
}

export interface Members {
  readonly tasks: readonly Task[];
  readonly poison: readonly Poison[];
  readonly next?: PageKey;
}

/** What one shardcode holds that a worker has to look at. */
export interface Awake {
  readonly targets: readonly Target[];
  /** Tasks whose retry, reschedule or lease is due at or before the asked instant. */
  readonly tasks: readonly Task[];
  readonly poison: readonly Poison[];
  /** The first wake_at after the asked instant; missing if there is none, or if it is that of a run. */
  readonly next_wake?: number;
}

/** What becomes of a task that a listing comes to: it is taken, left out, or the first that the page has no room for. */
export type Choice = 'take' | 'leave' | 'stop';

/**
 * Everything that is kept. All guarded writes carry an op_id and recognise themselves by it when only their answer was
 * lost. Methods reject with a TableError when the table did not answer; a rejected write may have been applied.
 */
export interface Store {
  /** @returns the task, strongly consistent; undefined if there is none. Throws PoisonError if it cannot be read. */
  task(id: string): Promise<Task | undefined>;
  /** @returns the tasks that exist and can be read, strongly consistent, in no order. */
  tasks(ids: readonly string[]): Promise<readonly Task[]>;
  /** Puts new tasks (`attribute_not_exists`), 25 a call. An answer for each, in order. */
  addTasks(tasks: readonly Task[]): Promise<readonly (AddAnswer | TableError)[]>;
  /** One transition: writes what differs between seen and next, IF rev = seen.rev. `next.rev` must be seen.rev + 1. */
  move(seen: Task, next: Task): Promise<MoveAnswer>;
  /** Many transitions, 25 a call, each with its own condition. An answer for each, in order. */
  moveMany(
    moves: readonly { readonly seen: Task; readonly next: Task }[],
  ): Promise<readonly (MoveAnswer | TableError)[]>;
  /** Notes a heartbeat IF running, this try, and from where it comes. Not a transition, but a rev. */
  heartbeat(id: string, tryNumber: number, from: Beat, now: number): Promise<MoveAnswer>;
  /** One page of a queue's tasks in a state, newest first, through state-index, read again from the table. */
  list(query: {
    readonly queue: string;
    readonly state: State;
    readonly limit: number;
    /** Asked of each in turn; the page goes on with the one at which it stops. @default takes all */
    readonly choose?: (task: Task) => Choice;
    /** Entries of the index that are looked at, at most: the page may hold fewer than `limit`. @default limit */
    readonly scan?: number;
    readonly next?: ListPosition;
  }): Promise<{
    readonly tasks: readonly Task[];
    readonly next?: ListPosition;
  }>;

  /** Joining steps 1 and 2 (DESIGN, section 3): `wanted` is the target as it would be with this joiner alone. */
  join(wanted: Target, wantsFirstPoke: boolean): Promise<Joined>;
  target(id: TargetId): Promise<Target | undefined>;
  /** @returns the targets that exist and can be read, strongly consistent, in no order. */
  targets(ids: readonly TargetId[]): Promise<readonly Target[]>;
  /** One page of the tasks that wait on a target, by deadline, earliest first; only those with a deadline before `deadlineBefore`, if given. */
  members(id: TargetId, options?: { readonly deadlineBefore?: number; readonly next?: PageKey }): Promise<Members>;
  /** Writes a changed observation and `first_unknown_at` (null removes it) IF the target exists; false if it is gone. */
  observe(
    id: TargetId,
    what: {
      readonly observation: Observation;
      readonly at: number;
      readonly first_unknown_at: number | null;
      readonly memory?: unknown;
    },
  ): Promise<boolean>;
  /** Nobody seen: dormant from now on, IF rev = seen. Writes the observation along when given. */
  goDormant(
    seen: Target,
    now: number,
    observed?: { readonly observation: Observation; readonly at: number },
  ): Promise<boolean>;
  /** A member was seen late: awake again, IF rev = seen. */
  wakeTarget(seen: Target): Promise<boolean>;
  /** Deletes a dormant target, IF rev = seen. */
  deleteTarget(seen: Target): Promise<boolean>;
  /**
   * Of a deferrable target: the next generation begins, knowing the target as seen, IF rev = seen.
   * @returns the target of that generation; undefined if it has changed since.
   */
  nextGeneration(seen: Target, now: number): Promise<Target | undefined>;
  /** Of a deferrable target: its execution hands over to the next of its generation, IF rev = seen. */
  nextHop(seen: Target): Promise<Target | undefined>;
  /** A longer interval or a later deadline, IF rev = seen. Also clears `check`. */
  relax(seen: Target, cadence: Cadence, nextDeadline: number): Promise<boolean>;
  /** A user took a task away: have the members looked at, IF the target exists. */
  requestCheck(id: TargetId): Promise<void>;
  /** The members were looked at: `check` off, IF rev = seen. */
  clearCheck(seen: Target): Promise<boolean>;

  /**
   * At most so many of the targets that an event may end, read again from the table; dormant ones too. `more`: there
   * are more of them.
   */
  targetsOf(eventKey: string, limit: number): Promise<{ readonly targets: readonly Target[]; readonly more: boolean }>;

  /** All awake and dormant targets of a shardcode and its tasks with `wake_at <= until`, through shardcode-index. */
  awake(queue: string, shardcode: number, until: number): Promise<Awake>;
  /**
   * How many entries of a shardcode (dormant targets left out) have a wake_at in [from, to]: all of them; tasks that poke
   * for themselves, waiting or running; those whose run holds a lease (wake_at is its end); or all but these tasks
   * (shared). `seen` is all with the dormant ones, `seen_shared` all of these but the runs, `dormant` the dormant ones alone.
   */
  countAwake(queue: string, shardcode: number, from: number, to: number, of?: Counted): Promise<number>;
  /** Takes an unreadable item out of the way of the workers and keeps it with its reason. */
  quarantine(poison: Poison, now: number): Promise<void>;

  /** Strongly consistent; undefined if nobody has used or configured it. */
  queue(name: string): Promise<QueueRecord | undefined>;
  /** How many tasks of a queue are not at their end, through state-index. */
  countActive(queue: string): Promise<number>;
  /** All queues, through state-index. */
  queues(): Promise<readonly QueueRecord[]>;
  /** Creates the queue where it is missing and notes that it is in use (not idle, active now). */
  touchQueue(name: string, now: number): Promise<QueueRecord>;
  /** Writes a queue IF rev = seen.rev (missing: creates it); `next.rev` must be seen.rev + 1. */
  saveQueue(seen: QueueRecord | undefined, next: QueueRecord): Promise<boolean>;

  /** What is left of a queue's slots for runs until the next tick; undefined if it never ran one. */
  slots(queue: string): Promise<Slots | undefined>;
  /** Leaves so many slots until the next tick, IF nobody claimed one since they were seen. */
  grantSlots(queue: string, seen: Slots | undefined, left: number): Promise<boolean>;
  /** Takes up to so many slots (of a queue that never had any: of its whole capacity). @returns how many. */
  claimSlots(queue: string, wanted: number, capacity: number, now: number): Promise<number>;

  /**
   * Books calls of a rate budget. What is booked is nobody else's, and is not given back.
   * @returns from which instant on (not before now) so many calls are the caller's, and whether none was booked before;
   * undefined: there is no room
   */
  bookCalls(queue: string, budget: string, booking: Booking, now: number): Promise<Booked | undefined>;

  /** The records of a queue's shards that exist. */
  shards(queue: string): Promise<readonly ShardRecord[]>;
  /** Takes a shard's lease until an instant IF nobody holds it now; undefined if somebody does. */
  takeLease(queue: string, shard: number, worker: string, now: number, until: number): Promise<ShardRecord | undefined>;
  /** Writes a shard's record and gives the lease back, IF this worker still holds it. */
  saveShard(record: ShardRecord, worker: string): Promise<boolean>;

  /** Notes who has not been told, 25 a call; a mark that is there already stays as it is. */
  addUntold(marks: readonly Untold[]): Promise<void>;
  /** A page of what a receiver is to be told again, the earliest first, up to an instant (epoch ms), through shardcode-index. */
  untold(
    receiver: Receiver,
    page: { readonly until?: number; readonly limit: number; readonly next?: PageKey | undefined },
  ): Promise<Marks>;
  /** They were refused once more: IF the mark is there and nobody else has put it off since. */
  putOffUntold(moves: readonly { readonly seen: Untold; readonly next: Untold }[]): Promise<void>;
  /** It is told, or nobody is left to be told. */
  forgetUntold(mark: Untold): Promise<void>;
  /** Who has not been told that a task is in its present state, strongly consistent. */
  untoldOf(task: Task): Promise<readonly Untold[]>;
}

export interface Marks {
  readonly marks: readonly Untold[];
  readonly poison: readonly Poison[];
  readonly next?: PageKey;
}

/** What of a shardcode's entries is counted; see countAwake. */
export type Counted = 'all' | 'shared' | 'runs' | 'leased' | 'seen' | 'seen_shared' | 'dormant';

/** A place in a listing that runs over the partitions of state-index. */
export interface ListPosition {
  /** For each partition that is not finished: where it goes on (null: at its beginning). */
  readonly partitions: Readonly<Record<string, PageKey | null>>;
}
