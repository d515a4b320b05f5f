/** What fields mean: for the OpenAPI document, the pages of docs/ and the help of the command line. A test asks for a note for each. */

export type Notes = Readonly<Record<string, string>>;

export const TASK_NOTES: Notes = {
  sensor: 'What is waited for: the type of the sensor and its poke context.',
  id: 'Unique in the service; a UUIDv7 if it is not given. The same id with the same body is the same task.',
  queue: 'The queue whose workers poke it. Tasks share a poke within their queue.',
  mode: 'Who waits.',
  poke_interval: 'Time between two pokes.',
  exponential_backoff: 'Whether the time between pokes grows, with jitter.',
  max_wait: 'The longest time between two pokes of an exponential series.',
  timeout: 'How long a try may wait, from its start. When it is over the task fails and is not tried again.',
  execution_timeout: 'The same from the same start, but a failure: judged by the retry rules.',
  retry_on_timeout: 'Whether the timeout is followed by another try, if one is left.',
  retries: 'How many tries may follow the first.',
  retry_delay: 'Time from the end of a failed try to the next one.',
  retry_exponential_backoff: 'true doubles the delay with every try, a number is the factor; with jitter.',
  max_retry_delay: 'The longest exponential delay; 24 hours if it is not given.',
  soft_fail: 'Whether a timeout is skipped and not failed. Excludes never_fail.',
  silent_fail: 'Whether a permanent error of a poke counts as "not yet".',
  never_fail: 'Whether any failure is skipped, at once and without a retry. Excludes soft_fail.',
  cancel_on_kill:
    'Whether removing the task while it waits ends what it watches: an EMR step or cluster. The operator opts in.',
  heartbeat_timeout: 'How long the worker of an external task may be silent.',
  dag_id: "Airflow's coordinate, for people and for the jitter.",
  task_id: "Airflow's coordinate, for people and for the jitter.",
  run_id: "Airflow's coordinate, for people.",
  map_index: "Airflow's coordinate, for people; -1 is not mapped.",
  logical_date: "Airflow's coordinate, for people and for the jitter.",
  tags: 'Up to 50 texts by name, for people.',
  callback:
    'The task token of the Step Functions execution that waits for its end. Never shown again; who repeats the submit with another token is told as well.',
};

export const LIST_NOTES: Notes = {
  queue: 'The queue whose tasks are listed.',
  state: 'Only tasks in these states: several as several parameters, or between commas. All of them if none is given.',
  dag_id:
    'Only tasks of this DAG. A page may hold fewer tasks then than there is room for, or none, though more follow: a request looks at a thousand tasks at most.',
  run_id: 'Only tasks of this run; likewise.',
  limit: 'Tasks of a page.',
  next: 'The token that the page before gave, for the same listing.',
};

export const QUEUE_NOTES: Notes = {
  worker_concurrency: 'Pokes that fall due in a tick and that one worker takes; runs of the modes poke and reschedule.',
  min_workers: 'Workers of a tick at the least, also when nothing is due.',
  max_workers: 'Workers of a tick at the most.',
  cooldown_seconds: 'On the way to no worker, one stays for so long.',
  budgets:
    'Calls per second, by API (`s3`) or operation (`emr:ListSteps`): 0, or from 0.000001 to 100,000; at most 50 of them.',
  paused: 'Nothing of the queue is poked and nothing begins.',
  max_active_tasks: 'A submit beyond it is answered 429.',
};

export const ESTIMATE_NOTES: Notes = {
  task: 'A task as it would be submitted.',
  duplicates: 'How many equal tasks wait for the condition.',
  wait: 'How long it is expected to wait; an hour, or the timeout if that is shorter.',
};

const FAILED_STATES = 'States that are a failure, and so is any other final one; a state in both lists is a target.';

/** By the type of the sensor and the field. */
export const SENSOR_NOTES: Readonly<Record<string, Notes>> = {
  s3_key: {
    bucket: 'The bucket; left out where the key is an s3://bucket/key URL.',
    key: 'The key, or several of which all must be there; or s3:// URLs of one bucket.',
    wildcard_match:
      "Whether keys are patterns (Python's fnmatch: a * crosses /), each of which some object must match.",
    min_size: 'Bytes that each object must have at least.',
  },
  emr_step: {
    job_flow_id: 'The cluster: j-...',
    step_id: 'The step: s-...',
    target_states: 'States that are waited for.',
    failed_states: FAILED_STATES,
  },
  emr_job_flow: {
    job_flow_id: 'The cluster: j-...',
    target_states: 'States that are waited for.',
    failed_states: FAILED_STATES,
  },
  datetime: { at: 'The instant, ISO 8601 with an offset.' },
  external: { watches: 'A sensor that is asked when the worker has gone silent: {"type": ..., ...}' },
};
