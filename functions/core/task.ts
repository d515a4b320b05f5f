/**
 * The task: one wait that a user submitted. Records carry the wire's names (snake_case), so that a field has one name
 * in the API, in the table and in the code (docs/adr/0002). Instants are epoch milliseconds, durations are seconds.
 */

/** States before the end. Names are Airflow's. */
export const ACTIVE_STATES = ['sensing', 'deferred', 'queued', 'running', 'up_for_reschedule', 'up_for_retry'] as const;

/** States that end a task. Only a clear or a user's mark leads out of them. */
export const TERMINAL_STATES = ['success', 'failed', 'skipped', 'removed'] as const;

export type ActiveState = (typeof ACTIVE_STATES)[number];
export type TerminalState = (typeof TERMINAL_STATES)[number];
export type State = ActiveState | TerminalState;

export const STATES: readonly State[] = [...ACTIVE_STATES, ...TERMINAL_STATES];

/** Who waits (docs: modes). `auto` is resolved at submit and never stored. */
export const MODES = ['smart', 'deferrable', 'reschedule', 'poke'] as const;

export type Mode = (typeof MODES)[number];

/** What is poked: the sensor's type and its normalised poke context. */
export interface SensorSpec {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** How it is waited for; never part of the identity. Durations in seconds. */
export interface ExecutionContext {
  readonly poke_interval: number;
  readonly exponential_backoff: boolean;
  readonly max_wait?: number;
  readonly timeout: number;
  readonly execution_timeout?: number;
  readonly retry_on_timeout: boolean;
  readonly retries: number;
  readonly retry_delay: number;
  /** Factor of the exponential retry delay; 0 means a constant delay. */
  readonly retry_exponential_backoff: number;
  readonly max_retry_delay?: number;
  readonly soft_fail: boolean;
  readonly silent_fail: boolean;
  readonly never_fail: boolean;
  readonly cancel_on_kill: boolean;
  readonly heartbeat_timeout: number;
}

/** Airflow's coordinates: for people, and for the jitter of the retry delay. */
export interface Coordinates {
  readonly dag_id?: string;
  readonly task_id?: string;
  readonly run_id?: string;
  readonly map_index?: number;
  /** As Python writes it: `YYYY-MM-DD HH:MM:SS[.ffffff]+00:00`. */
  readonly logical_date?: string;
}

/** The outside worker that runs the current try. */
export interface Owner {
  readonly hostname: string;
  readonly unixname: string;
  readonly pid: number;
}

/** One committed transition. */
export interface HistoryEntry {
  readonly at: number;
  readonly from: State | 'none';
  readonly to: State;
  readonly try_number: number;
  /** The event's name, and its reason where it has one. */
  readonly why: string;
  /** `user:<name>`, `worker:<owner>`, `service`. */
  readonly by: string;
}

/** wanted: to be ended; asked: a call was made or is under way; done, failed: that is that. */
export interface Cancel {
  readonly state: 'wanted' | 'asked' | 'done' | 'failed';
  readonly reason?: string;
}

export interface Task {
  readonly id: string;
  /** Counts the writes to the record; every guarded write expects the one it has seen. */
  readonly rev: number;
  readonly queue: string;
  readonly mode: Mode;
  /** Why `auto` took this mode. */
  readonly mode_reason?: string;
  readonly sensor: SensorSpec;
  readonly exec: ExecutionContext;
  readonly coordinates: Coordinates;
  readonly tags?: Readonly<Record<string, string>>;
  /** Decimal text of 63 bits. Of an external task: of its id, since nothing is shared. */
  readonly hashcode: string;
  readonly shardcode: number;
  readonly state: State;
  readonly try_number: number;
  readonly max_tries: number;
  readonly created_at: number;
  readonly updated_at: number;
  /** Start of the current try. */
  readonly started_at: number;
  /** The earlier of `started_at + timeout` and `started_at + execution_timeout`; written once per try. */
  readonly deadline: number;
  readonly ended_at?: number;
  readonly next_retry_at?: number;
  /** When a worker has to look at the task itself (a retry, a reschedule, a lease); its key in shardcode-index. */
  readonly wake_at?: number;
  /** Why it is in its state: the text of the last failure or of its end. */
  readonly reason?: string;
  readonly result?: unknown;
  readonly owner?: Owner;
  readonly heartbeat_at?: number;
  /** Of a task that pokes for itself: its first unknown since its last clean poke, epoch ms. */
  readonly first_unknown_at?: number;
  /** Whom to tell of its end: Step Functions task tokens, the latest last. Bearer capabilities: never shown, told or logged. */
  readonly callback_tokens?: readonly string[];
  /** Of a removed task with cancel_on_kill: how far ending the watched work has come. */
  readonly cancel?: Cancel;
  /** What the current try last asked for over the execution API: asking the same again is answered the same. */
  readonly asked?: string;
  readonly history: readonly HistoryEntry[];
  /** Fingerprint of the submitted body: the same id with the same body is the same submit. */
  readonly submit_hash: string;
  /** On one of the tasks that a submit adds to a target: the router has it poked at once. */
  readonly first_poke?: boolean;
  /** Of an ended task that a backup brought back: when. Its end was told long ago. Epoch ms. */
  readonly restored_at?: number;
  /** When the table forgets it (seconds, DynamoDB's TTL). */
  readonly expires_at?: number;
}

/** @returns the id of a task's current try, `<task id>~<try_number>`. */
export function tryId(task: Pick<Task, 'id' | 'try_number'>): string {
  return `${task.id}~${task.try_number}`;
}

const ENDS: ReadonlySet<State> = new Set(TERMINAL_STATES);

/** @returns whether the state ends a task. */
export function isTerminal(state: State): state is TerminalState {
  return ENDS.has(state);
}

/** @returns whether the task is finished by its own worker over the execution API and not by a poke. */
export function isExternal(task: Pick<Task, 'sensor'>): boolean {
  return task.sensor.type === 'external';
}

/** @returns whether a worker of ours runs it, poke by poke: the modes poke and reschedule. */
export function pokesForItself(task: Pick<Task, 'sensor' | 'mode'>): boolean {
  return !isExternal(task) && (task.mode === 'poke' || task.mode === 'reschedule');
}
