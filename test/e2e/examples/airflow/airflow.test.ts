import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { path } from '../../../../client/path.ts';
import type { LandingZone } from '../../../../local/demo/landing-zone.ts';
import { WEEK } from '../../../../functions/api/schemas/fields.ts';
import { ODD } from '../../api.ts';
import { connect } from '../../service.ts';
import { until } from '../../until.ts';
import { openBucket } from '../world.ts';
import { play } from './airflow.ts';
import type { Play, Played } from './airflow.ts';

const PLAYS_MS = 430_000;

/** Set by `npm test`, which says so loudly where it has no Airflow. */
const python = process.env['SENSORIUM_AIRFLOW_PYTHON'] ?? '';
const withAirflow = python === '' ? describe.skip : describe;

const service = connect();
const { api } = service;
const bucket = service.unique('landing');
const queue = service.queue();
const dags = ['sensorium_http_sensor', 'sensorium_operator', 'sensorium_step_functions'];
const keyOf = (dag: string) => `${dag}/_SUCCESS`;
const skippedKeyOf = (dag: string) => `${dag}/skipped`;
const killed = { deferred: service.unique('deferred') + ODD, running: service.unique('running') + ODD };
/** Every character that a path may hold raw, and some that it may not. */
const addresses = ["-._~!$&'()*+,;=:@", 'a/b?c#d%e f', '%3A', 'Zähler', ODD];
let zone: LandingZone;
let about: Played;
const played = new Map<string, Played>();

/** Each way waits for a key that lands, for one in a bucket that is not there, and for one that a user skips. */
const plays: readonly (readonly [string, Play])[] = [
  ...dags.flatMap((dag): readonly (readonly [string, Play])[] => [
    [`${dag} success`, { dag, conf: { bucket, key: keyOf(dag), queue } }],
    [`${dag} failed`, { dag, conf: { bucket: `${bucket}-none`, key: 'k', queue } }],
    [`${dag} skipped`, { dag, conf: { bucket, key: skippedKeyOf(dag), queue } }],
  ]),
  ['kill', { kill: killed.deferred }],
  ['kill running', { kill_running: killed.running }],
  ['addresses', { addresses }],
];

/** @returns the id of the task that waits for a key, as soon as there is one. */
async function waiterOf(key: string): Promise<string> {
  const waits = ({ sensor }: { readonly sensor: unknown }) => JSON.stringify(sensor).includes(key);
  const limits = { limitMs: PLAYS_MS, everyMs: 500 };
  const tasks = await until(
    () => api.tasks(queue),
    (seen) => seen.some(waits),
    limits,
  );
  return tasks.find(waits)!.id;
}

/** What happens outside while Airflow waits. */
async function outside(): Promise<void> {
  for (const dag of dags) {
    await waiterOf(keyOf(dag));
    await zone.land(keyOf(dag));
    const id = await waiterOf(skippedKeyOf(dag));
    await api.call('POST', `/v1/tasks/${id}/mark`, { state: 'skipped' });
  }
}

withAirflow('the three ways of Airflow', () => {
  beforeAll(async () => {
    zone = await openBucket(service, bucket);
    const sensor = { type: 's3_key', bucket, key: 'never' };
    for (const id of Object.values(killed)) await api.submit({ id, queue, sensor });
    const execution = await service.executions.start(service.unique('impatient'), { task: { queue, sensor } });

    const { apiUrl, submitAndWaitArn: stateMachineArn } = service;
    const all: readonly (readonly [string, Play])[] = [...plays, ['impatient', { impatient: execution }]];
    const playing = play(
      all.map(([, one]) => one),
      { python, apiUrl, stateMachineArn },
    );
    const [results] = await Promise.all([playing, outside()]);
    const [first, ...others] = results;
    about = first!;
    for (const [index, [name]] of all.entries()) played.set(name, others[index]!);
  }, PLAYS_MS);

  afterAll(async () => {
    await zone.remove();
  });

  test('the DAG files import cleanly', () => {
    expect(about).toMatchObject({ dags, errors: {} });
  });

  test.each(dags)('%s succeeds when the key has landed', (dag) => {
    const { state, tasks } = played.get(`${dag} success`)!;
    expect({ state, tasks: new Set(Object.values(tasks ?? {})) }).toEqual({
      state: 'success',
      tasks: new Set(['success']),
    });
  });

  test.each(dags)('%s fails with the reason', (dag) => {
    const { state, tasks, log } = played.get(`${dag} failed`)!;
    expect({ state, wait: tasks?.['wait'] }).toEqual({ state: 'failed', wait: 'failed' });
    expect(log).toContain(`bucket ${bucket}-none does not exist`);
  });

  test.each(dags)('%s is skipped when its wait is', (dag) => {
    const { state, tasks = {} } = played.get(`${dag} skipped`)!;
    expect(state).toBe('success');
    expect(Object.values(tasks)).toContain('skipped');
    expect(Object.values(tasks)).not.toContain('failed');
  });

  test('killing the task of Airflow removes the other, before it has deferred and afterwards', async () => {
    expect(played.get('kill')).toMatchObject({ waits: true, event: { id: killed.deferred, state: 'removed' } });
    for (const id of Object.values(killed)) expect(await api.task(id)).toMatchObject({ state: 'removed' });
  });

  test('the operator asks for the paths that the client asks for', () => {
    const { sent, ids } = played.get('addresses')!;
    expect(sent).toEqual(addresses.map((id) => `/${path('v1', 'tasks', id)}`));
    expect(ids?.join()).toMatch(/^-[0-9a-f]{32},\.-[0-9a-f]{32},\.\.-[0-9a-f]{32},\.\.\.$/); // N027
  });

  test('the stock operator, left to its defaults, gives up before its task does', () => {
    expect(about.stock_seconds).toBeLessThan(WEEK);
    const { event } = played.get('impatient')!;
    expect(event).toMatchObject({ status: 'error', message: expect.stringContaining('max attempts') });
  });
});

afterAll(() => service.leave());
