/** What the demo submits, what it lets happen outside, and how each task has to end. Data alone: nothing happens here. */
import type { NewTask, Sensor } from '../../client/index.ts';

export type Group = 's3' | 'emr' | 'retry' | 'timeout' | 'external';

export const GROUP_NAMES: Readonly<Record<Group, string>> = {
  s3: 'S3 keys that land',
  emr: 'EMR steps behind a throttle',
  retry: 'an EMR step that fails, one retry',
  timeout: 'a key that never lands',
  external: 'outside work that fails once',
};

/** Seconds; of every task that is poked. */
export const POKE_INTERVAL = 10;
/** Seconds after which the task that waits for nothing gives up. */
export const TIMEOUT = 60;

const KEYS = 20;
const TASKS_A_KEY = 50;
const LANDS_EVERY_MS = 5_000;
const STEPS = 40;
const TASKS_A_STEP = 5;
const FIRST_STEP_SECONDS = 20;
const STEP_EVERY_SECONDS = 2;
const RETRY_DELAY = 5;
/** Long enough that nothing but the task that shall time out does. */
const PATIENCE = 600;

export interface PlannedKey {
  readonly key: string;
  /** Counted from when all tasks are submitted. */
  readonly landsAfterMs: number;
}

export interface PlannedStep {
  readonly name: string;
  readonly seconds: number;
  /** Missing: the step completes. */
  readonly failure?: string;
}

export interface DemoPlan {
  /** The beginning of the ids of all its tasks; also the name of their queue. */
  readonly run: string;
  readonly bucket: string;
  readonly keys: readonly PlannedKey[];
  readonly steps: readonly PlannedStep[];
}

/** @param suffix makes the names of this run its own: lower case letters and digits */
export function planDemo(suffix: string): DemoPlan {
  const run = `demo-${suffix}`;
  const keys = Array.from({ length: KEYS }, (_, index) => ({
    key: `landing/part-${number(index + 1, 2)}`,
    landsAfterMs: (index + 1) * LANDS_EVERY_MS,
  }));
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    name: `step-${number(index + 1, 2)}`,
    seconds: FIRST_STEP_SECONDS + index * STEP_EVERY_SECONDS,
  }));
  const failing = { name: 'step-that-fails', seconds: FIRST_STEP_SECONDS, failure: 'No space left on device' };
  return { run, bucket: `sensorium-${run}`, keys, steps: [...steps, failing] };
}

/** The way a task has to go, by the states of its history; the last one is its end. */
export interface Expected {
  readonly path: readonly [string, ...string[]];
  /** A part of the reason that it ends with. */
  readonly reason?: string;
}

export interface PlannedTask {
  readonly id: string;
  readonly group: Group;
  /** What ends its wait: a key or the id of a step; nothing for work that nobody pokes, and for what never comes. */
  readonly waitsFor?: string;
  /** The body of its submit. */
  readonly body: NewTask;
  readonly expected: Expected;
}

/** @param cluster the cluster that runs the plan's steps, with their ids in the plan's order */
export function planTasks(
  { run, bucket, keys, steps }: DemoPlan,
  cluster: { readonly id: string; readonly stepIds: readonly string[] },
): readonly PlannedTask[] {
  const task = (id: string, group: Group, fields: Omit<PlannedTask, 'id' | 'group'>): PlannedTask => {
    const named = `${run}-${id}`;
    const rules = { queue: run, poke_interval: POKE_INTERVAL, timeout: PATIENCE };
    return { ...fields, id: named, group, body: { ...rules, ...fields.body, id: named } };
  };
  const succeeds: Expected = { path: ['sensing', 'success'] };
  const s3Key = (key: string): Sensor => ({ type: 's3_key', bucket, key });

  const onKeys = keys.flatMap(({ key }, index) =>
    times(TASKS_A_KEY, (one) =>
      task(`key-${number(index + 1, 2)}-${number(one, 3)}`, 's3', {
        waitsFor: key,
        body: { sensor: s3Key(key) },
        expected: succeeds,
      }),
    ),
  );
  const onSteps = steps.flatMap(({ name, failure }, index) => {
    const step_id = cluster.stepIds[index] ?? '';
    const sensor: Sensor = { type: 'emr_step', job_flow_id: cluster.id, step_id };
    if (failure === undefined) {
      return times(TASKS_A_STEP, (one) =>
        task(`${name}-${one}`, 'emr', { waitsFor: step_id, body: { sensor }, expected: succeeds }),
      );
    }
    return task(name, 'retry', {
      waitsFor: step_id,
      body: { sensor, retries: 1, retry_delay: RETRY_DELAY },
      expected: { path: ['sensing', 'up_for_retry', 'sensing', 'failed'], reason: failure },
    });
  });
  const never = task('timeout', 'timeout', {
    body: { sensor: s3Key('landing/never'), timeout: TIMEOUT },
    expected: { path: ['sensing', 'failed'], reason: 'timeout' },
  });
  const outside = task('external', 'external', {
    body: { sensor: { type: 'external' }, retries: 1, retry_delay: RETRY_DELAY },
    expected: { path: ['queued', 'running', 'up_for_retry', 'queued', 'running', 'success'] },
  });
  return [...onKeys, ...onSteps, never, outside];
}

function number(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

function times<Made>(count: number, make: (one: number) => Made): Made[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}
