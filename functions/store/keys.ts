/**
 * Names of the table: key prefixes, indexes, attributes. The one place where they are spelled, for the store and for the
 * CDK table alike, and therefore without imports. Why the keys are these: docs/adr.
 */

/** The table's only key attribute. */
export const PRIMARY_KEY = 'pk';

/** DynamoDB's TTL, in seconds. */
export const TTL_ATTRIBUTE = 'expires_at';

/** How long the table remembers a task after its end. */
export const TTL_SECONDS = 30 * 24 * 3600;

export const PREFIXES = {
  task: 'TASK#',
  target: 'TARGET#',
  queue: 'QUEUE#',
  shard: 'SHARD#',
  slots: 'SLOTS#',
  budget: 'BUDGET#',
  untold: 'UNTOLD#',
} as const;

/** All indexes are sparse: an item is in one only while it has both of its attributes. Partitions are texts, sorts numbers. */
export const INDEXES = {
  /** The tasks that wait on a target, by deadline. */
  'hashcode-index': { partition: 'hashcode', sort: 'deadline', projection: 'ALL' },
  /** What has to be looked at: targets, tasks whose retry, reschedule or lease is due; and who is to be told again. */
  'shardcode-index': { partition: 'shardcode', sort: 'wake_at', projection: 'ALL' },
  /** For people: the tasks of a queue in a state, newest first. And the list of queues, and the targets of an event. */
  'state-index': { partition: 'state_partition', sort: 'updated_at', projection: 'KEYS_ONLY' },
} as const;

/** Marks in shardcode-index: of a task that pokes for itself, and besides of one whose run holds a lease. */
export const RUN_MARKS = { run: 'own_run', leased: 'leased_run' } as const;

/** The state-index partition that lists the queues. */
export const QUEUES_PARTITION = 'QUEUES';

/** The tasks of a queue in one state are spread over so many partitions: one takes 1,000 writes a second. */
export const STATE_PARTITIONS = 8;

export interface TargetKeyParts {
  readonly queue: string;
  readonly mode: string;
  readonly hashcode: string;
}

export function taskKey(id: string): string {
  return `${PREFIXES.task}${id}`;
}

export function targetKey({ queue, mode, hashcode }: TargetKeyParts): string {
  return `${PREFIXES.target}${queue}#${mode}#${hashcode}`;
}

export function queueKey(name: string): string {
  return `${PREFIXES.queue}${name}`;
}

export function shardKey(queue: string, shard: number): string {
  return `${PREFIXES.shard}${queue}#${shard}`;
}

export function slotsKey(queue: string): string {
  return `${PREFIXES.slots}${queue}`;
}

/** @returns the key of what is booked of a queue's rate budget. */
export function budgetKey(queue: string, budget: string): string {
  return `${PREFIXES.budget}${queue}#${budget}`;
}

/** @returns the key of the mark that a receiver is to be told of a fact; of an execution by the digest of its token. */
export function untoldKey(receiver: string, factId: string, token?: string): string {
  return `${untoldPartition(receiver)}#${factId}${token === undefined ? '' : `#${token}`}`;
}

/** @returns the id of the task with this key; undefined if it is no task's. */
export function taskIdOf(key: string): string | undefined {
  return key.startsWith(PREFIXES.task) ? key.slice(PREFIXES.task.length) : undefined;
}

/** @returns what identifies the target with this key; undefined if it is no target's. */
export function targetIdOf(key: string): TargetKeyParts | undefined {
  if (!key.startsWith(PREFIXES.target)) return undefined;
  // Neither a mode nor a hashcode holds the separator: from the end the parts are plain, whatever a queue is called.
  const parts = key.slice(PREFIXES.target.length).split('#');
  const hashcode = parts.pop();
  const mode = parts.pop();
  return hashcode === undefined || mode === undefined || parts.length === 0
    ? undefined
    : { queue: parts.join('#'), mode, hashcode };
}

/** @returns the name of the queue with this key; undefined if it is no queue's. */
export function queueNameOf(key: string): string | undefined {
  return key.startsWith(PREFIXES.queue) ? key.slice(PREFIXES.queue.length) : undefined;
}

/** @returns the hashcode-index partition of the tasks that wait on a target. */
export function hashcodePartition({ queue, mode, hashcode }: TargetKeyParts): string {
  return `${queue}#${mode}#${hashcode}`;
}

/** @returns the shardcode-index partition of one shardcode of a queue. */
export function shardcodePartition(queue: string, shardcode: number): string {
  return `${queue}#${shardcode}`;
}

/** @returns the shardcode-index partition of what a receiver is to be told again: its last part is no shardcode. */
export function untoldPartition(receiver: string): string {
  return `${PREFIXES.untold}${receiver}`;
}

/** @returns one of the state-index partitions of a queue and state. */
export function statePartition(queue: string, state: string, part: number): string {
  return `${queue}#${state}#${part}`;
}

/** @returns the state-index partition of the targets that an event may end; an event key is no state of a queue. */
export function eventPartition(eventKey: string): string {
  return `EVENT#${eventKey}`;
}

/** @returns which of a state's partitions a task stands in: FNV-1a of its id, so that it never changes. */
export function statePart(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % STATE_PARTITIONS;
}
