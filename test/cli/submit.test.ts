import { expect, test } from '@jest/globals';
import { SENSOR } from '../api/service.ts';
import { aCli } from './harness.ts';

const S3 = 'submit s3-key --bucket landing --key in/a.csv';

test('a task by flags, as the API has it', async () => {
  const { run, service } = aCli();
  const flags =
    '--id t1 --queue q --poke-interval 30 --timeout PT2H --retries 2 --soft-fail --tags team=data owner=ann';
  const ran = await run(`${S3} --key in/b.csv --min-size 10 ${flags} --retry-exponential-backoff --map-index -1`);
  expect(ran).toMatchObject({ code: 0, stdout: 't1  sensing\n', stderr: '' });
  expect(await service.task('t1')).toMatchObject({
    queue: 'q',
    sensor: { type: 's3_key', bucket: 'landing', key: ['in/a.csv', 'in/b.csv'], min_size: 10 },
    exec: { poke_interval: 30, timeout: 7200, retries: 2, soft_fail: true, retry_exponential_backoff: 2 },
    tags: { team: 'data', owner: 'ann' },
    coordinates: { map_index: -1 },
  });
});

test.each([
  ['emr_step', 'emr-step --job-flow-id j-1 --step-id s-1 --target-states COMPLETED'],
  ['emr_step', 'emr_step --job-flow-id j-1 --step-id s-1'],
  ['emr_job_flow', 'emr-job-flow --job-flow-id j-1'],
  ['datetime', 'datetime --at 2030-01-01T00:00:00Z'],
  ['external', 'external'],
])('a sensor of the type %s: %s', async (type, args) => {
  const { run, service } = aCli();
  expect(await run(`submit ${args} --id t`)).toMatchObject({ code: 0 });
  expect((await service.task('t')).sensor.type).toBe(type);
});

test('what a sensor watches is JSON', async () => {
  const { run, service } = aCli();
  const args = ['submit', 'external', '--id', 't', '--watches', JSON.stringify(SENSOR)];
  expect(await run(args)).toMatchObject({ code: 0 });
  expect((await service.task('t')).sensor).toMatchObject({ watches: { type: 's3_key' } });
});

test('a refused field is named with its flag', async () => {
  const ran = await aCli().run('submit s3-key --key in/a.csv');
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toBe(
    'error: The service refuses it: sensor.bucket is required where key is not an s3:// URL. Look at --bucket.\n',
  );
});

test('--json prints the task', async () => {
  const ran = await aCli().run(`--json ${S3} --id t1`);
  expect(JSON.parse(ran.stdout)).toMatchObject({ id: 't1', state: 'sensing' });
});

test.each([
  ['success', 0],
  ['failed', 1],
  ['skipped', 0],
] as const)('--wait ends with the task: %s is exit code %d', async (state, code) => {
  const { run, service } = aCli();
  const ran = await run(`${S3} --id t1 --wait`, {
    meanwhile: (sleeps) => (sleeps === 3 ? service.call('POST', '/v1/tasks/t1/mark', { state }) : Promise.resolve()),
  });
  expect(ran).toMatchObject({ code });
  expect(ran.stdout).toMatch(new RegExp(`^t1  ${state}`));
});

test('--wait with a limit: 2 when it has not ended', async () => {
  const ran = await aCli().run(`${S3} --id t1 --wait 5m`);
  expect(ran).toMatchObject({ code: 2, stdout: 't1  sensing\n' });
  expect(ran.stderr).toContain('what has not ended waits on');
});

test('Ctrl-C while it waits: 130, and the task stands', async () => {
  const { run, service } = aCli();
  const ran = await run(`${S3} --id t1 --wait`, { stopAt: 2 });
  expect(ran).toMatchObject({ code: 130, stdout: '' });
  expect(ran.stderr).toContain('1 sensing: the tasks wait on');
  expect((await service.task('t1')).state).toBe('sensing');
});
