import { describe, expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS } from '../../functions/settings.ts';
import type { Fault } from '../../simulator/format.ts';
import { seeded } from '../../simulator/random.ts';
import { apiEvent } from '../../simulator/requests.ts';
import { createStage } from '../../simulator/stage.ts';
import type { Told } from '../../simulator/world/executions.ts';
import { T0 } from '../support/tasks.ts';

const SENSOR = { type: 's3_key', bucket: 'landing', key: 'k' };

/** The key lands at second 65. Everything that leaves the service, or is logged by it, is kept. */
function aStage(faults: readonly Fault[] = []) {
  const told: { readonly second: number; readonly told: Told }[] = [];
  const said: unknown[] = [];
  const world = { s3: { 'landing/k': [{ at: 65, present: true }] }, emr: {}, glue: {}, http: {}, events: [] };
  const log = (line: object) => void said.push(line);
  const stage = createStage({ start: T0, settings: DEFAULT_SETTINGS, world, faults, random: seeded('callbacks'), log });
  stage.onTold((one) => void told.push({ second: (stage.time.now() - T0) / 1000, told: one }));
  stage.onAlert((event) => void said.push(event));
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await stage.api(apiEvent(method, path, body)!);
    said.push(reply);
    return reply;
  };
  /** Calls at a second. */
  const at = (second: number, method: string, path: string, body?: unknown) =>
    stage.time.at(T0 + second * 1000, 'step', () => void call(method, path, body));
  const submit = (second: number, body: object) => at(second, 'POST', '/v1/tasks', { sensor: SENSOR, ...body });
  return { stage, told, said, at, submit, until: (second: number) => stage.time.runUntil(T0 + second * 1000) };
}

describe('an execution that waits with a task token', () => {
  test('is told of the end and of nothing before it; no answer, event or log shows the token', async () => {
    const { stage, told, said, at, submit, until } = aStage();
    submit(0, { id: 'a', callback: { task_token: 'token-a' } });
    submit(1, {
      id: 'b',
      retries: 1,
      retry_delay: 1,
      sensor: { type: 'external' },
      callback: { task_token: 'token-b' },
    });
    submit(2, { id: 'c', sensor: { ...SENSOR, key: 'never' }, callback: { task_token: 'token-c' } });
    for (const [index, path] of ['', '/a', '/a/explain', '/a/ready', '?state=success', '?limit=2'].entries()) {
      at(3 + index, 'GET', `/v1/tasks${path}`);
      at(200 + index, 'GET', `/v1/tasks${path}`);
    }
    at(30, 'POST', '/v1/tasks/b/mark', { state: 'failed' });
    at(40, 'DELETE', '/v1/tasks/c');
    await until(300);
    expect(told.map((one) => one.told)).toMatchObject([
      { token: 'token-b', ok: false, error: 'Sensorium.Failed', cause: 'marked failed' },
      { token: 'token-c', ok: false, error: 'Sensorium.Removed' },
      { token: 'token-a', ok: true, output: { task_id: 'a', state: 'success' } },
    ]);
    expect(stage.ledger.calls('sfn')).toBe(3);
    expect(said.length).toBeGreaterThan(15);
    expect(JSON.stringify([said, told.map((one) => ({ ...one.told, token: '' }))])).not.toMatch(/token-[abc]/);
  });

  test('case 45: the event comes twice, the execution goes on once', async () => {
    const { stage, told, submit, until } = aStage([{ duplicate: 'notifier', at: 60 }]);
    submit(0, { id: 'a', callback: { task_token: 't' } });
    await until(300);
    expect(stage.ledger.calls('sfn:SendTaskSuccess')).toBe(2);
    expect(told).toHaveLength(1);
    expect(stage.invocations.errors).toEqual([]);
  });

  test('is told later while Step Functions throttles; the bus does not wait for it', async () => {
    const quiet = aStage();
    quiet.submit(0, { id: 'a', callback: { task_token: 't' } });
    await quiet.until(300);
    const to = Math.ceil(quiet.told[0]!.second) + 5;
    const { stage, told, submit, until } = aStage([
      { service: 'sfn', operation: 'SendTaskSuccess', from: 0, to, error: 'ThrottlingException' },
    ]);
    submit(0, { id: 'a', callback: { task_token: 't' } });
    await until(300);
    expect(stage.ledger.calls('sfn:SendTaskSuccess')).toBeGreaterThan(1);
    expect(told).toHaveLength(1);
    expect(told[0]?.second).toBeGreaterThan(to);
    expect(stage.ledger.alerts('a')).toEqual(['success']);
    expect(stage.invocations.errors).toEqual([]);
  });

  test('who waits for the same task is told as well', async () => {
    const { told, submit, until } = aStage();
    submit(0, { id: 'a', callback: { task_token: 'first' } });
    submit(10, { id: 'a', callback: { task_token: 'second' } });
    submit(20, { id: 'a' });
    await until(200);
    expect(told.map((one) => one.told.token)).toEqual(['first', 'second']);
  });

  test('whoever submits again after the end is told at once', async () => {
    const { told, submit, until } = aStage();
    submit(0, { id: 'a', callback: { task_token: 'first' } });
    submit(250, { id: 'a', callback: { task_token: 'second' } });
    submit(260, { id: 'a', callback: { task_token: 'second' } });
    await until(400);
    expect(told.map((one) => [one.told.token, one.told.ok])).toEqual([
      ['first', true],
      ['second', true],
    ]);
    expect(told[1]?.second).toBeLessThan(252);
  });
});
