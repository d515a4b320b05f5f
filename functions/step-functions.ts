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

export type ErrorName = (typeof ERRORS)[keyof typeof ERRORS];

/** What a state hands to the function `submit`, besides the token. */
export const SUBMIT_FIELDS = ['task', 'task_token', 'context'] as const;

/** What a state says of itself in `context`; all but `execution` may be missing. */
export const CONTEXT_FIELDS = ['execution', 'redrive', 'state', 'entered_at', 'item'] as const;
