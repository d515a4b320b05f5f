import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { taskKey } from '../../functions/store/keys.ts';
import { openLandingZone } from '../../local/demo/landing-zone.ts';
import type { LandingZone } from '../../local/demo/landing-zone.ts';
import { connect } from './service.ts';
import { until } from './until.ts';

const service = connect();
const { api, executions } = service;
const bucket = service.unique('landing');
const queue = service.queue();
let zone: LandingZone;

beforeAll(async () => {
  zone = await openLandingZone(service.clients.s3, bucket);
});

afterAll(async () => {
  await zone.remove();
  await service.leave();
});

const s3 = (key: string) => ({ type: 's3_key', bucket, key });

/** The id of the task of an execution that names none: its state machine, and itself. */
const taskOf = (arn: string) => arn.split(':').slice(6).join(':');

describe('an execution of SubmitAndWait', () => {
  test('succeeds when its task does, with the task as its output', async () => {
    const key = service.unique('key');
    await zone.land(key);
    // What the name of an execution may hold of what an id may hold.
    const name = `${service.unique('success')}.b=c+d@e_f-g`;
    const arn = await executions.start(name, { task: { queue, sensor: { ...s3(`${key}*`), wildcard_match: true } } });
    const id = taskOf(arn);
    expect(id.endsWith(`:${name}`)).toBe(true);
    expect(await executions.end(arn)).toMatchObject({
      status: 'SUCCEEDED',
      output: { task_id: id, try_number: 1, state: 'success', previous_state: 'sensing', result: { keys: [key] } },
    });
    const task = await api.task(id);
    expect(task).toMatchObject({
      state: 'success',
      history: [{ why: 'submit', by: `execution:${arn}` }, { why: 'met' }],
    });
    expect(JSON.stringify(task)).not.toMatch(/token/i);
  });

  test('fails when its task does, with its reason as the cause', async () => {
    const none = service.unique('none');
    const task = { id: service.unique('failure'), queue, sensor: { type: 's3_key', bucket: none, key: 'k' } };
    expect(await executions.end(await executions.start(service.unique('failure'), { task }))).toMatchObject({
      status: 'FAILED',
      error: 'Sensorium.Failed',
      cause: `bucket ${none} does not exist`,
    });
    expect(await api.task(task.id)).toMatchObject({ state: 'failed' });
  });

  test('goes on while its task waits, and is told when a user removes it', async () => {
    const task = { id: service.unique('removed'), queue, sensor: s3(service.unique('never')) };
    const arn = await executions.start(service.unique('removed'), { task });
    await expect(executions.end(arn, 3_000)).rejects.toThrow('RUNNING');
    await api.call('DELETE', `/v1/tasks/${task.id}`);
    expect(await executions.end(arn)).toMatchObject({ status: 'FAILED', error: 'Sensorium.Removed' });
  });

  test('fails at once where its task is refused; the cause names the field', async () => {
    const startedAt = Date.now();
    const refusals = [
      [{ task: { queue, sensor: s3('k'), retries: -1 } }, 'Sensorium.Refused', /^retries must be at least 0$/],
      [{ task: 'k' }, 'Sensorium.Refused', /^task must be an object$/],
      [{}, 'States.QueryEvaluationError', /task/],
    ] as const;
    for (const [input, error, cause] of refusals) {
      const ended = await executions.end(await executions.start(service.unique('refused'), input));
      expect(ended).toMatchObject({ status: 'FAILED', error, cause: expect.stringMatching(cause) });
    }
    expect(Date.now() - startedAt).toBeLessThan(15_000);
  });

  test('is not alone: all that wait for one task are told of its end', async () => {
    const task = { id: service.unique('shared'), queue, sensor: s3(service.unique('never')) };
    const names = [1, 2, 3].map((n) => service.unique(`waits-${n}`));
    const arns = await Promise.all(names.map((name) => executions.start(name, { task })));
    const tokens = async () => (await service.table.get(taskKey(task.id)))?.['callback_tokens'];
    await until(tokens, (found) => Array.isArray(found) && found.length === 3);
    await api.call('POST', `/v1/tasks/${task.id}/mark`, { state: 'skipped' });
    for (const arn of arns) {
      expect(await executions.end(arn)).toMatchObject({ status: 'SUCCEEDED', output: { state: 'skipped' } });
    }
  });

  test('that waits for a task which has ended already is told at once', async () => {
    const key = service.unique('key');
    await zone.land(key);
    const task = { id: service.unique('twice'), queue, sensor: s3(key) };
    for (const name of [service.unique('first'), service.unique('second')]) {
      expect(await executions.end(await executions.start(name, { task }))).toMatchObject({
        status: 'SUCCEEDED',
        output: { task_id: task.id, state: 'success', previous_state: 'sensing' },
      });
    }
    expect(await api.task(task.id)).toMatchObject({ history: [{ why: 'submit' }, { why: 'met' }] });
  });
});
