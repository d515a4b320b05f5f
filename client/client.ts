/** The client's interface. */
import type { SubmitResult } from './submit.ts';
import type { Explanation } from './types/explain.ts';
import type { Heartbeat, Run, RunRequest, StateRequest, TryState } from './types/execution.ts';
import type { Estimate, Queue, QueueSettings } from './types/queue.ts';
import type { EstimateRequest, NewTask } from './types/submit.ts';
import type { EndedTask, State, Task } from './types/task.ts';
import type { WaitOptions } from './wait.ts';

export interface ListQuery {
  /** @default 'default' */
  readonly queue?: string;
  /** @default - all states, one after the other */
  readonly state?: State | readonly State[];
  /** Only tasks of this DAG. */
  readonly dag_id?: string;
  /** Only tasks of this run. */
  readonly run_id?: string;
  /** Tasks of a page, 1 to 100. @default 50; 100 for `listAll` */
  readonly limit?: number;
  /** The token that the page before gave. */
  readonly next?: string;
}

export interface TaskPage {
  /** May be fewer than `limit`, or none, though there are more. */
  readonly tasks: readonly Task[];
  /** Missing: this was the last page. */
  readonly next?: string;
}

/**
 * Each call rejects with a SensoriumError where the service refuses, a NoAnswerError where none came in all tries, an
 * UnreadableAnswerError where the answer lacks something.
 */
export interface SensoriumClient {
  /** Submits a task. The same id and body again: the same task. */
  submit(task: NewTask): Promise<Task>;
  /** Submits any number of tasks, 500 a call. @returns a result for each, in order; a bad one stops none */
  submitMany(tasks: readonly NewTask[]): Promise<SubmitResult[]>;
  get(id: string): Promise<Task>;
  /** One page of a queue's tasks, newest first within a state. */
  list(query?: ListQuery): Promise<TaskPage>;
  /** All of them, page after page. */
  listAll(query?: Omit<ListQuery, 'next'>): AsyncIterable<Task>;
  /** Says why a task still waits, and what comes next. */
  explain(id: string): Promise<Explanation>;
  /** Has a task wait again, in a new try. Not repeated where an answer was lost: twice would be two tries. */
  clear(id: string): Promise<Task>;
  /** Sets a task's state by hand. */
  mark(id: string, state: 'success' | 'failed' | 'skipped'): Promise<Task>;
  /** Nobody waits for it any more. */
  remove(id: string): Promise<Task>;
  queues(): Promise<readonly Queue[]>;
  queue(name: string): Promise<Queue>;
  /** Sets all of a queue's settings; what is left out has its default again. */
  setQueue(name: string, settings: QueueSettings): Promise<Queue>;
  /** Says what a task would cost in each mode. */
  estimate(request: EstimateRequest): Promise<Estimate>;
  /** @returns the task once it has ended, whatever the outcome. @throws WaitTimeoutError, or the signal's reason */
  wait(id: string, options?: WaitOptions): Promise<EndedTask>;

  /** A worker starts the try of an `external` task. @param id of a task, or of a try: `<task id>~<n>` */
  run(id: string, worker: RunRequest): Promise<Run>;
  /**
   * Says how the try ended.
   * @param id best that of the try (`Run.try_id`): only then is it repeated where an answer was lost
   * @returns undefined when it was noted; how the try stands where the same was said before
   */
  state(id: string, ended: StateRequest): Promise<TryState | undefined>;
  /** Says that the worker lives. A SensoriumError with the status 409 or 410 says that it should stop. */
  heartbeat(id: string, worker: Heartbeat): Promise<void>;
}
