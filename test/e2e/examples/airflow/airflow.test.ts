import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LandingZone } from '../../../../local/demo/landing-zone.ts';
import { WEEK } from '../../../../functions/api/schemas/fields.ts';
import { connect } from '../../service.ts';
import { until } from '../../until.ts';
import { openBucket } from '../world.ts';
import { play } from './airflow.ts';
import type { Play, Played } from './airflow.ts';

const PLAYS_MS = 290_000;

/** Set by `npm test`, which says so loudly where it has no Airflow. */
const python = process.env['SENSORIUM_AIRFLOW_PYTHON'] ?? '';
const withAirflow = python === '' ? describe.skip : describe;

const service = connect();
const { api } = service;
const bucket = service.unique('landing');
const queue = service.queue();
const dags = ['sensorium_http_sensor', 'sensorium_operator', 'sensorium_step_functions'];
const keys = dags.map((dag) => `${dag}/_SUCCESS`);
const killed = service.unique('killed');
let zone: LandingZone;
let about: Played;
const played = new Map<string, Played>();

/** Each way waits for a key that lands when it is seen to wait, and for one in a bucket that is not there. */
const plays: readonly (readonly [string, Play])[] = [
  ...dags.flatMap((dag, index): readonly (readonly [string, Play])[] => [
    [`${dag} success`, { dag, conf: { bucket, key: keys[index]!, queue } }],
    [`${dag} failed`, { dag, conf: { bucket: `${bucket}-none`, key: 'k', queue } }],
  ]),
  ['kill', { kill: killed }],
];

async function landWhenWaited(): Promise<void> {
  for (const key of keys) {
    const waits = (task: { readonly sensor: unknown }) => JSON.stringify(task.sensor).includes(key);
    await until(
      () => api.tasks(queue),
      (tasks) => tasks.some(waits),
      { limitMs: PLAYS_MS, everyMs: 500 },
    );
    await zone.land(key);
  }
}

withAirflow('the three ways of Airflow', () => {
  beforeAll(async () => {
    zone = await openBucket(service, bucket);
    const sensor = { type: 's3_key', bucket, key: 'never' };
    await api.submit({ id: killed, queue, sensor });
    const execution = await service.executions.start(service.unique('impatient'), { task: { queue, sensor } });

    const { apiUrl, submitAndWaitArn: stateMachineArn } = service;
    const all: readonly (readonly [string, Play])[] = [...plays, ['impatient', { impatient: execution }]];
    const playing = play(
      all.map(([, one]) => one),
      { python, apiUrl, stateMachineArn },
    );
    const [results] = await Promise.all([playing, landWhenWaited()]);
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

  test('a deferred task that somebody kills is removed', async () => {
    expect(played.get('kill')).toMatchObject({ waits: true, event: { id: killed, state: 'removed' } });
    expect(await api.task(killed)).toMatchObject({ state: 'removed' });
  });

  test('the stock operator, left to its defaults, gives up before its task does', () => {
    expect(about.stock_seconds).toBeLessThan(WEEK);
    const { event } = played.get('impatient')!;
    expect(event).toMatchObject({ status: 'error', message: expect.stringContaining('max attempts') });
  });
});

afterAll(() => service.leave());
