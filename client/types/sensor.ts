/** What is waited for: a sensor's type and its poke context. docs/sensors has a page for each. */
import type { Instant } from './duration.ts';

/** All of the keys are there. */
export interface S3KeySensor {
  readonly type: 's3_key';
  /** Left out where `key` is an `s3://bucket/key` URL. */
  readonly bucket?: string;
  /** One key or up to 100, all of which must be there; or as many URLs of one bucket. */
  readonly key: string | readonly string[];
  /** Each key is a pattern (Python's fnmatch), which some object must match. @default false */
  readonly wildcard_match?: boolean;
  /** Bytes that each object must have at least. @default any */
  readonly min_size?: number;
}

export type EmrStepState =
  | 'PENDING'
  | 'CANCEL_PENDING'
  | 'RUNNING'
  | 'COMPLETED'
  | 'CANCELLED'
  | 'FAILED'
  | 'INTERRUPTED';

/** A step of an EMR cluster is in a target state. */
export interface EmrStepSensor {
  readonly type: 'emr_step';
  /** The cluster: `j-...`. */
  readonly job_flow_id: string;
  /** `s-...`. */
  readonly step_id: string;
  /** @default ['COMPLETED'] */
  readonly target_states?: readonly EmrStepState[];
  /** Any other final state is a failure as well. @default ['CANCELLED', 'FAILED', 'INTERRUPTED'] */
  readonly failed_states?: readonly EmrStepState[];
}

export type EmrJobFlowState =
  | 'STARTING'
  | 'BOOTSTRAPPING'
  | 'RUNNING'
  | 'WAITING'
  | 'TERMINATING'
  | 'TERMINATED'
  | 'TERMINATED_WITH_ERRORS';

/** An EMR cluster is in a target state. */
export interface EmrJobFlowSensor {
  readonly type: 'emr_job_flow';
  /** The cluster: `j-...`. */
  readonly job_flow_id: string;
  /** @default ['TERMINATED'] */
  readonly target_states?: readonly EmrJobFlowState[];
  /** @default ['TERMINATED_WITH_ERRORS'] */
  readonly failed_states?: readonly EmrJobFlowState[];
}

/** An instant has come. */
export interface DatetimeSensor {
  readonly type: 'datetime';
  /** ISO 8601 with an offset. */
  readonly at: Instant;
}

/** A sensor that asks the outside, or the clock. */
export type WatchingSensor = S3KeySensor | EmrStepSensor | EmrJobFlowSensor | DatetimeSensor;

/** An outside worker reports the end of its own work (`run`, `heartbeat`, `state`). */
export interface ExternalSensor {
  readonly type: 'external';
  /** Asked for the truth about the work when its worker has gone silent. */
  readonly watches?: WatchingSensor;
}

export type Sensor = WatchingSensor | ExternalSensor;

/** A sensor as answers show it: defaults filled in, lists sorted, URLs taken apart. */
export interface SensorSpec {
  readonly type: string;
  readonly [field: string]: unknown;
}
