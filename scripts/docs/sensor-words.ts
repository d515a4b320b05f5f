/** What the schemas of sensors do not say: an example, what happens in a poke, what shares a call. A test asks for each. */
import { PokeTimeout } from '../../functions/sensors/sensor.ts';
import { awsError, headError, RESET } from './poke-case.ts';
import type { Case } from './poke-case.ts';

export interface SensorWords {
  /** The end of "It waits until ...". */
  readonly until: string;
  /** A task as somebody submits it. */
  readonly example: Readonly<Record<string, unknown>> & { readonly sensor: Readonly<Record<string, unknown>> };
  readonly cases: readonly Case[];
  /** What shares a poke or a call, and what a poke costs. */
  readonly calls: readonly string[];
  /** What else is worth knowing. */
  readonly notes: readonly string[];
}

const TOO_SLOW = new PokeTimeout('no answer within 10 s');
const DENIED = awsError('AccessDeniedException', 400, 'User is not authorized');
const RATE = awsError('ThrottlingException', 400, 'Rate exceeded');
const steps = (status: object) => ({ Steps: [{ Id: 's-1ABCDEFGHIJKL', Status: status }] });
const cluster = (status: object) => ({ Cluster: { Status: status } });

const S3_KEY: SensorWords = {
  until:
    'all of the keys are there (with `wildcard_match`: an object for each pattern), each with `min_size` bytes at least',
  example: {
    id: 'orders-2024-01-01',
    sensor: { type: 's3_key', bucket: 'landing', key: 'orders/2024-01-01/_SUCCESS' },
    poke_interval: 60,
    timeout: 'PT6H',
  },
  cases: [
    { when: 'HeadObject finds the key', answers: { headObject: { ContentLength: 10 } } },
    {
      when: 'an object matches the pattern',
      with: { key: 'orders/*/_SUCCESS', wildcard_match: true },
      answers: { listObjects: { Contents: [{ Key: 'orders/2024-01-01/_SUCCESS', Size: 10 }] } },
    },
    { when: 'the key is not there (404)', answers: { headObject: headError(404) } },
    {
      when: 'the object is smaller than `min_size`',
      with: { min_size: 500 },
      answers: { headObject: { ContentLength: 10 } },
    },
    {
      when: 'at the first poke: the key is not there, and HeadBucket says that the bucket is not, either',
      first: true,
      answers: { headObject: headError(404), headBucket: headError(404) },
    },
    {
      when: 'access denied (403); without s3:ListBucket also for a key that is not there',
      answers: { headObject: headError(403), listObjects: awsError('AccessDenied', 403, 'Access Denied') },
    },
    {
      when: 'refused (400 or 403), and a ListObjectsV2 says that our own token has expired',
      answers: { headObject: headError(400), listObjects: awsError('ExpiredToken', 400, 'The token has expired') },
    },
    {
      when: 'the bucket is in another Region (301)',
      answers: {
        headObject: headError(301),
        listObjects: awsError('PermanentRedirect', 301, 'Use the given endpoint'),
      },
    },
    { when: 'throttled (503 without a code, SlowDown)', answers: { headObject: headError(503) } },
    { when: 'S3 fails (5xx)', answers: { headObject: headError(500) } },
    { when: 'the connection breaks', answers: { headObject: RESET } },
    { when: 'no answer within `poke_timeout_seconds`', answers: { headObject: TOO_SLOW } },
  ],
  calls: [
    'Tasks of a queue and mode with the same bucket, keys (in any order), `wildcard_match` and `min_size` share one poke.',
    'A poke is a HeadObject a key, one after the other up to the first that is missing; with `wildcard_match` a ListObjectsV2 a page of 1,000 keys that begin like the pattern. Nothing is batched: S3 has no call for it.',
    'Where the first poke of a condition does not find the key, it asks whether the bucket exists, once a bucket and run.',
    'The answer to a HeadObject has no body. One that refuses is asked again by a ListObjectsV2 of one key, once a bucket and run, and that says why.',
  ],
  notes: [
    'An event of S3 (Object Created, by way of EventBridge) has the condition poked at once, where the bucket sends events.',
    'A LIST costs 12.5 times a HEAD: prefer a key to a pattern where the name is known.',
  ],
};

const EMR_STEP: SensorWords = {
  until: 'the step is in one of `target_states`',
  example: {
    id: 'spark-2024-01-01',
    sensor: { type: 'emr_step', job_flow_id: 'j-2AXXXXXXGAPLF', step_id: 's-1ABCDEFGHIJKL' },
    timeout: 'PT3H',
    retries: 0,
  },
  cases: [
    { when: 'the step is in a target state', answers: { listSteps: steps({ State: 'COMPLETED' }) } },
    { when: 'it has not ended', answers: { listSteps: steps({ State: 'RUNNING' }) } },
    {
      when: 'it is in a state of `failed_states`',
      answers: {
        listSteps: steps({
          State: 'FAILED',
          FailureDetails: { Reason: 'Unknown Error.', LogFile: 's3://logs/j-2AXXXXXXGAPLF/steps/stderr.gz' },
        }),
      },
    },
    {
      when: 'it is in another final state that is not waited for',
      with: { target_states: ['CANCELLED'], failed_states: ['FAILED'] },
      answers: { listSteps: steps({ State: 'COMPLETED' }) },
    },
    {
      when: 'there is no such cluster or step',
      answers: {
        listSteps: awsError('InvalidRequestException', 400, "Step id 's-1ABCDEFGHIJKL' is not valid."),
        describeStep: awsError('InvalidRequestException', 400, "Step id 's-1ABCDEFGHIJKL' is not valid."),
      },
    },
    { when: 'access denied', answers: { listSteps: DENIED } },
    { when: 'throttled', answers: { listSteps: RATE } },
    { when: 'an answer without a state', answers: { listSteps: steps({}) } },
    { when: 'no answer within `poke_timeout_seconds`', answers: { listSteps: TOO_SLOW } },
  ],
  calls: [
    'Steps of one cluster are asked for together: ListSteps by id takes 10 of them a call, ListSteps by state 50 active ones a page; the cheaper way is taken. They are due together for it.',
    'One bad id stops no other: when a call is refused its steps are asked for one by one (DescribeStep), and so is a step that an answer lacks.',
    "EMR's own quota is 0.5 calls a second of each operation, with a burst of 10, for the account and Region; that is a queue's default budget.",
  ],
  notes: [
    'An event of EMR (Step Status Change) has the step poked at once.',
    'It never starts, retries or cancels a step. Only removing a task that has `cancel_on_kill` cancels it, where the operator allows that.',
  ],
};

const EMR_JOB_FLOW: SensorWords = {
  until: 'the cluster is in one of `target_states`',
  example: {
    id: 'cluster-2024-01-01',
    sensor: { type: 'emr_job_flow', job_flow_id: 'j-2AXXXXXXGAPLF', target_states: ['WAITING', 'TERMINATED'] },
    timeout: 'PT1H',
  },
  cases: [
    { when: 'the cluster is in a target state', answers: { describeCluster: cluster({ State: 'WAITING' }) } },
    { when: 'it is not, and has not ended', answers: { describeCluster: cluster({ State: 'STARTING' }) } },
    {
      when: 'it is in a state of `failed_states`',
      answers: {
        describeCluster: cluster({
          State: 'TERMINATED_WITH_ERRORS',
          StateChangeReason: {
            Code: 'BOOTSTRAP_FAILURE',
            Message: 'On the master instance, bootstrap action 1 returned a non-zero return code',
          },
        }),
      },
    },
    {
      when: 'there is no such cluster',
      answers: {
        describeCluster: awsError('InvalidRequestException', 400, "Cluster id 'j-2AXXXXXXGAPLF' is not valid."),
      },
    },
    { when: 'access denied', answers: { describeCluster: DENIED } },
    { when: 'throttled', answers: { describeCluster: RATE } },
    {
      when: 'EMR fails (5xx)',
      answers: { describeCluster: awsError('InternalServerException', 500, 'Internal failure') },
    },
    { when: 'no answer within `poke_timeout_seconds`', answers: { describeCluster: TOO_SLOW } },
  ],
  calls: [
    'Tasks of a queue and mode with the same cluster and states share one poke: one DescribeCluster. Nothing is batched: EMR has no call for it.',
    "EMR's own quota is 0.5 calls a second, with a burst of 10, for the account and Region; that is a queue's default budget.",
  ],
  notes: [
    'An event of EMR (Cluster State Change) has the cluster poked at once.',
    'Only removing a task that has `cancel_on_kill` terminates the cluster, where the operator allows that.',
  ],
};

const SIX = '2024-01-01T06:00:00Z';

const DATETIME: SensorWords = {
  until: 'the instant has come',
  example: { id: 'after-six', sensor: { type: 'datetime', at: SIX }, timeout: 'P7D' },
  cases: [
    { when: 'it has come', answers: {}, now: Date.parse(SIX) },
    { when: 'it has not', answers: {}, now: Date.parse(SIX) - 1 },
  ],
  calls: ['It asks nobody, and is not poked before its instant: it costs nothing while it waits.'],
  notes: ['A date and time without an offset is refused: whose noon it is has to be said.'],
};

const EXTERNAL: SensorWords = {
  until:
    'an outside worker says on the execution API how its work ended (`PATCH /execution/task-instances/{id}/state`)',
  example: {
    id: 'train-model-7',
    sensor: { type: 'external', watches: { type: 's3_key', bucket: 'models', key: 'model-7/_SUCCESS' } },
    timeout: 'P1D',
    retries: 2,
    heartbeat_timeout: 300,
  },
  cases: [{ when: 'it is poked: only its worker ends it', answers: {} }],
  calls: [
    'It asks nobody itself. What it `watches` is poked as the sensor that it is, and only when the worker has been silent for `heartbeat_timeout`, or a deadline has passed.',
  ],
  notes: [
    'A worker starts the try (`run`), says that it lives (`heartbeat`), and how the try ended (`state`); whether a failed try is retried is for the service to say. See [the API](../api.md#execution).',
    'A worker that has gone silent: where what it watches is met, the task is a success; where it has failed, that is a failure; where it is not met, the work is taken to go on; unknown waits. Without `watches` a lost heartbeat is a failure, judged by the retry rules.',
  ],
};

/** By the type of the sensor. */
export const SENSOR_WORDS: Readonly<Record<string, SensorWords>> = {
  s3_key: S3_KEY,
  emr_step: EMR_STEP,
  emr_job_flow: EMR_JOB_FLOW,
  datetime: DATETIME,
  external: EXTERNAL,
};
