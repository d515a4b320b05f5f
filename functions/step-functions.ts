/** What the service and a state machine say to each other: names that both sides of a deploy spell the same. */

/** Errors of a state that waits for a task; a state machine's Retry and Catch go by them. */
export const ERRORS = {
  /** The task failed; the cause is its reason. */
  failed: 'Sensorium.Failed',
  /** Somebody removed the task: nobody will learn what became of it. */
  removed: 'Sensorium.Removed',
  /** The task was not taken; the cause names the field. Trying again changes nothing. */
  refused: 'Sensorium.Refused',
  /** The table did not keep up. Trying again is right, and submits nothing twice. */
  busy: 'Sensorium.Busy',
} as const;

/** What a state that waits hands to the function that submits. */
export interface WaitEvent {
  /** The body of a submit, without a callback. */
  readonly task: unknown;
  /** The only queue that the task may go into: out of the state machine's definition, never out of an execution's input. */
  readonly queue?: string;
  readonly task_token: string;
  readonly context: WaitContext;
}

/** Which wait this is: the same however often the state is tried again. Without an id of its own a task is named by it. */
export interface WaitContext {
  /** ARN of the execution. */
  readonly execution: string;
  /** How often the execution was redriven: each time is another wait. */
  readonly redrive?: number;
  /** Where an execution may wait more than once: the state's name, */
  readonly state?: string;
  /** when it was entered, which a retry does not change, */
  readonly entered_at?: string;
  /** and, within a Map, the index of the item. */
  readonly item?: number;
}
