/**
 * What the client calls things is what the service calls them. Answers are held together by the compiler: the schemas
 * that the client reads them with give its types. What is sent is held together here.
 */
import { describe, expect, test } from '@jest/globals';
import type {
  DatetimeSensor,
  EmrJobFlowSensor,
  EmrJobFlowState,
  EmrStepSensor,
  EmrStepState,
  EstimateRequest,
  ExternalSensor,
  ListQuery,
  Mode,
  NewTask,
  QueueSettings,
  S3KeySensor,
  Sensor,
  State,
} from '../../client/index.ts';
import { estimateBody } from '../../functions/api/schemas/estimate.ts';
import { listQuery } from '../../functions/api/schemas/list.ts';
import { STATES } from '../../functions/core/task.ts';
import { readDocument } from '../../scripts/docs/document.ts';

/** All of a union, or of an object's fields: one that is missing, or too many, does not compile. */
const all = <Name extends string>(names: Readonly<Record<Name, true>>): string[] => Object.keys(names).toSorted();
const T = true;

const { schemas } = readDocument().components;
const fieldsOf = (name: string): string[] => Object.keys(schemas[name]?.properties ?? {}).toSorted();

const TASK = all<keyof NewTask>({
  sensor: T,
  id: T,
  queue: T,
  mode: T,
  poke_interval: T,
  exponential_backoff: T,
  max_wait: T,
  timeout: T,
  execution_timeout: T,
  retry_on_timeout: T,
  retries: T,
  retry_delay: T,
  retry_exponential_backoff: T,
  max_retry_delay: T,
  soft_fail: T,
  silent_fail: T,
  never_fail: T,
  cancel_on_kill: T,
  heartbeat_timeout: T,
  dag_id: T,
  task_id: T,
  run_id: T,
  map_index: T,
  logical_date: T,
  tags: T,
  callback: T,
});

const SETTINGS = all<keyof QueueSettings>({
  worker_concurrency: T,
  min_workers: T,
  max_workers: T,
  cooldown_seconds: T,
  budgets: T,
  paused: T,
  max_active_tasks: T,
});

const SENSORS: Readonly<Record<Sensor['type'], string[]>> = {
  s3_key: all<keyof S3KeySensor>({ type: T, bucket: T, key: T, wildcard_match: T, min_size: T }),
  emr_step: all<keyof EmrStepSensor>({ type: T, job_flow_id: T, step_id: T, target_states: T, failed_states: T }),
  emr_job_flow: all<keyof EmrJobFlowSensor>({ type: T, job_flow_id: T, target_states: T, failed_states: T }),
  datetime: all<keyof DatetimeSensor>({ type: T, at: T }),
  external: all<keyof ExternalSensor>({ type: T, watches: T }),
};

describe('the fields of', () => {
  test.each([
    ['SubmittedTask', TASK],
    ['QueueSettings', SETTINGS],
    ...Object.entries(SENSORS).map(([type, fields]): [string, string[]] => [`Sensor_${type}`, fields]),
  ])('%s', (name, fields) => {
    expect(fields).toEqual(fieldsOf(name));
  });

  test('a list and an estimate', () => {
    const list = all<keyof ListQuery>({ queue: T, state: T, dag_id: T, run_id: T, limit: T, next: T });
    expect(list).toEqual(Object.keys(listQuery._zod.def.shape).toSorted());
    const estimate = all<keyof EstimateRequest>({ task: T, duplicates: T, wait: T });
    expect(estimate).toEqual(Object.keys(estimateBody._zod.def.shape).toSorted());
  });

  test('every sensor', () => {
    const types = Object.keys(schemas).flatMap((name) => /^Sensor_(.+)$/.exec(name)?.[1] ?? []);
    expect(Object.keys(SENSORS).toSorted()).toEqual(types.toSorted());
  });
});

describe('the values of', () => {
  const states = all<State>({
    sensing: T,
    deferred: T,
    queued: T,
    running: T,
    up_for_reschedule: T,
    up_for_retry: T,
    success: T,
    failed: T,
    skipped: T,
    removed: T,
  });
  const modes = all<Mode | 'auto'>({ smart: T, deferrable: T, reschedule: T, poke: T, auto: T });
  const step = all<EmrStepState>({
    PENDING: T,
    CANCEL_PENDING: T,
    RUNNING: T,
    COMPLETED: T,
    CANCELLED: T,
    FAILED: T,
    INTERRUPTED: T,
  });
  const cluster = all<EmrJobFlowState>({
    STARTING: T,
    BOOTSTRAPPING: T,
    RUNNING: T,
    WAITING: T,
    TERMINATING: T,
    TERMINATED: T,
    TERMINATED_WITH_ERRORS: T,
  });

  test.each([
    ['a state', states, STATES],
    ['a mode', modes, schemas['SubmittedTask']?.properties?.['mode']?.enum],
    ['a state of a step', step, schemas['Sensor_emr_step']?.properties?.['target_states']?.items?.enum],
    ['a state of a cluster', cluster, schemas['Sensor_emr_job_flow']?.properties?.['failed_states']?.items?.enum],
  ])('%s', (_name, values, known) => {
    expect(values).toEqual((known ?? []).map(String).toSorted());
  });
});
