import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { connect } from './service.ts';
import { startCluster } from './emr.ts';
import type { Cluster } from './emr.ts';
import { until } from './until.ts';

const service = connect();
const { api } = service;
let cluster: Cluster;
let queue: string;

beforeAll(async () => {
  cluster = await startCluster(service);
});

beforeEach(() => {
  queue = service.queue();
});

// Else the ticks of the tests to come would look after it, too.
afterEach(() => service.table.sleep(queue));

afterAll(() => service.leave());

const explain = (id: string) => async () => (await api.call('GET', `/v1/tasks/${id}/explain`)).body;
const step = (step_id: string) => ({ type: 'emr_step', job_flow_id: cluster.id, step_id });
const sees = (what: object) => (body: unknown) => {
  const text = JSON.stringify(body);
  return JSON.stringify(what)
    .slice(1, -1)
    .split(',')
    .every((part) => text.includes(part));
};

const FAILURE = { Reason: 'Main class not found.', Message: 'Exit code 1', LogFile: 's3://logs/j/steps/s/stderr.gz' };

test('a step that runs is waited for, and its end is the success of all who wait for it', async () => {
  const stepId = await cluster.addStep();
  const [first, second] = await api.submitAll([
    { queue, poke_interval: 10, sensor: step(stepId) },
    { queue, poke_interval: 10, sensor: { ...step(stepId), target_states: ['COMPLETED'] } },
  ]);
  expect(second!.hashcode).toBe(first!.hashcode);
  const waits = await until(explain(first!.id), sees({ state: 'RUNNING' }));
  expect(waits).toMatchObject({
    state: 'sensing',
    last_observation: { kind: 'not_met', state: 'RUNNING' },
    target: { tasks: 2 },
  });

  await cluster.script({ steps: [{ cluster_id: cluster.id, step_id: stepId, state: 'COMPLETED' }] });
  const before = await cluster.calls('ListSteps');
  const ended = await service.tickUntil(
    () => api.tasks(queue),
    (tasks) => tasks.every(({ state }) => state !== 'sensing'),
  );
  expect(ended.map(({ state }) => state)).toEqual(['success', 'success']);
  expect(ended[0]!.ended_at).toBe(ended[1]!.ended_at);
  expect(await cluster.calls('ListSteps')).toBe(before + 1);
});

test('a step that fails: its reason, message and log file; one task retries, the other fails, and so does the retry', async () => {
  const stepId = await cluster.addStep();
  const sensor = step(stepId);
  await cluster.script({ steps: [{ cluster_id: cluster.id, step_id: stepId, state: 'FAILED', failure: FAILURE }] });
  const [once, twice] = await api.submitAll([
    { queue, sensor },
    { queue, sensor, retries: 1, retry_delay: 1 },
  ]);
  const reason = `step ${stepId} ended in FAILED: ${FAILURE.Reason}: ${FAILURE.Message}: log file ${FAILURE.LogFile}`;
  const failed = await until(
    () => api.task(once!.id),
    ({ state }) => state !== 'sensing',
  );
  expect(failed).toMatchObject({ state: 'failed', reason, try_number: 1, max_tries: 0 });

  const retries = await until(
    () => api.task(twice!.id),
    ({ state }) => state !== 'sensing',
  );
  expect(retries).toMatchObject({ state: 'up_for_retry', reason, try_number: 1, ended_at: failed.ended_at });
  expect(Date.parse(retries.next_retry_at ?? '') - Date.parse(retries.ended_at ?? '')).toBe(1_000);
  expect(await explain(twice!.id)()).toMatchObject({
    state: 'up_for_retry',
    retry: { base: 1, jitter: 0, cap: null, delay: 1, next_retry_at: retries.next_retry_at },
  });

  const ended = await service.tickUntil(
    () => api.task(twice!.id),
    ({ state }) => state === 'failed',
  );
  expect(ended).toMatchObject({ reason, try_number: 2, max_tries: 1, try_id: `${twice!.id}~2` });
  expect(ended.history.map(({ from, to, try_number }) => `${from} ${to} ${try_number}`)).toEqual([
    'none sensing 1',
    'sensing up_for_retry 1',
    'up_for_retry sensing 2',
    'sensing failed 2',
  ]);
});

test('a throttled call fails nobody: unknown, and the next poke finds out', async () => {
  const stepId = await cluster.addStep();
  const fault = { type: 'ThrottlingException', message: 'Rate exceeded', status: 400 };
  await cluster.script({
    steps: [{ cluster_id: cluster.id, step_id: stepId, state: 'COMPLETED' }],
    faults: [{ operation: 'ListSteps', ...fault }],
  });
  const { id } = await api.submit({ queue, poke_interval: 10, sensor: step(stepId) });
  const waits = await until(explain(id), sees({ kind: 'unknown' }));
  expect(waits).toMatchObject({
    state: 'sensing',
    try_number: 1,
    unknown_since: expect.any(String),
    last_observation: { kind: 'unknown', throttled: true, reason: expect.stringContaining('Throttling') },
  });
  const ended = await service.tickUntil(
    () => api.task(id),
    ({ state }) => state !== 'sensing',
  );
  expect(ended).toMatchObject({ state: 'success', try_number: 1, history: [{ why: 'submit' }, { why: 'met' }] });
});

test('an unknown step among good ones is nobody else’s failure', async () => {
  const stepId = await cluster.addStep();
  await cluster.script({ steps: [{ cluster_id: cluster.id, step_id: stepId, state: 'COMPLETED' }] });
  const [good, bad] = await api.submitAll([
    { queue, sensor: step(stepId) },
    { queue, sensor: step('s-NONE') },
  ]);
  const ends = (id: string) =>
    until(
      () => api.task(id),
      ({ state }) => state !== 'sensing',
    );
  expect(await ends(good!.id)).toMatchObject({ state: 'success' });
  expect(await ends(bad!.id)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/s-NONE|not valid/i) });
});
