/** A typed client of Sensorium's API: `createClient({ url, credentials })`. */
export { createClient } from './create-client.ts';
export type { ListQuery, SensoriumClient, TaskPage } from './client.ts';
export type { ClientOptions, Clock, CredentialProvider, Credentials, RetryLimits } from './options.ts';
export { NoAnswerError, SensoriumError, UnreadableAnswerError, WaitTimeoutError } from './errors.ts';
export type { Problem } from './errors.ts';
export type { SubmitResult } from './submit.ts';
export { hasEnded } from './wait.ts';
export type { WaitOptions } from './wait.ts';
export type * from './types/duration.ts';
export type * from './types/execution.ts';
export type * from './types/explain.ts';
export type * from './types/queue.ts';
export type * from './types/sensor.ts';
export type * from './types/submit.ts';
export type * from './types/task.ts';
