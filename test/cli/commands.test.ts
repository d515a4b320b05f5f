import { describe, expect, test } from '@jest/globals';
import { aCli } from './harness.ts';
import { SENSOR } from '../api/service.ts';

const S3 = 'submit s3-key --bucket landing --key in/a.csv';

describe('submit', () => {
  test('a task by flags, as the API has it', async () => {
    const { run, service } = aCli();
    const flags = '--id t1 --queue q --poke-interval 30 --timeout PT2H --retries 2 --soft-fail --tags team=data owner=ann';
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
      meanwhile: (sleeps) =>
        sleeps === 3 ? service.call('POST', '/v1/tasks/t1/mark', { state }) : Promise.resolve(),
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
});

describe('get and explain', () => {
  test('a page for people', async () => {
    const { run, service } = aCli();
    await service.submit({ id: 't1', dag_id: 'orders', tags: { team: 'data' } });
    const { stdout } = await run('get t1');
    expect(stdout).toMatch(/^t1 {2}sensing$/m);
    expect(stdout).toMatch(/^sensor {4}s3_key bucket=landing key=in\/a.csv/m);
    expect(stdout).toMatch(/dag_id=orders/);
    expect(stdout).toMatch(/none -> sensing +1 +submit/);
    expect(JSON.parse((await run('get t1 --json')).stdout)).toMatchObject({ id: 't1', dag_id: 'orders' });
  });

  test('why it waits, when the next poke is and how that is computed, with how many it is shared, when it ends', async () => {
    const { run, service } = aCli();
    for (const id of ['t1', 't2', 't3']) await service.submit({ id, timeout: 7200, soft_fail: true });
    const { stdout, code } = await run('explain t1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^t1 is sensing, try 1 of 1$/m);
    expect(stdout).toMatch(/^Why {5}Its condition is poked again and again until/m);
    expect(stdout).toMatch(/^Last {4}nothing new was seen/m);
    expect(stdout).toMatch(/^Next {4}in \d+ s \(/m);
    expect(stdout).toMatch(/computed: every 60 s, [\d.]+ s past the full interval/);
    expect(stdout).toMatch(/^Shared {2}one poke for all 3 tasks/m);
    expect(stdout).toMatch(/^Ends {4}in 2 h at the latest \(.*\), then: skipped$/m);
    expect(stdout).toMatch(/^Costs /m);
    expect(JSON.parse((await run('explain t1 --json')).stdout)).toMatchObject({ id: 't1', target: { tasks: 3 } });
  });

  test('a task that will be tried again: how long the pause is, and of what', async () => {
    const { run, service } = aCli();
    await service.submit({ id: 't1', retries: 2, retry_exponential_backoff: true });
    await service.move('t1', { type: 'failed', reason: 'it broke' });
    const { stdout } = await run('explain t1');
    expect(stdout).toMatch(/^Retry .*because: it broke$/m);
    expect(stdout).toMatch(/computed: \d+ s and \d+ s of jitter/);
  });
});

describe('list', () => {
  const TASKS = ['a', 'b', 'c', 'd', 'e'];
  const filled = async () => {
    const cli = aCli();
    for (const id of TASKS) await cli.service.submit({ id, queue: 'q' });
    await cli.service.call('POST', '/v1/tasks/a/mark', { state: 'failed' });
    return cli;
  };

  test('a table; JSON lines', async () => {
    const { run } = await filled();
    const { stdout } = await run('list --queue q');
    expect(stdout.split('\n')[0]).toMatch(/^ID +STATE +TRY +AGE +SENSOR$/);
    expect(stdout).toMatch(/^a +failed +1\/1/m);
    const records = (await run('list --queue q --json')).records();
    expect(records.map(({ id }) => id).toSorted()).toEqual(TASKS);
  });

  test('by state', async () => {
    const { run } = await filled();
    expect((await run('list --queue q --state failed --json')).records()).toMatchObject([{ id: 'a' }]);
    expect(await run('list --queue q --state running')).toMatchObject({ code: 0, stdout: '', stderr: 'no task matches\n' });
  });

  test('page by page, and all pages', async () => {
    const { run } = await filled();
    const first = (await run('list --queue q --limit 2 --json')).records();
    const next = String(first.at(-1)!['next']);
    expect(first).toHaveLength(3);
    const second = await run(['list', '--queue', 'q', '--limit', '100', '--next', next, '--json']);
    const ids = [...first.slice(0, -1), ...second.records()].map(({ id }) => id);
    expect(ids.toSorted()).toEqual(TASKS);
    expect((await run('list --queue q --all --json')).records()).toHaveLength(5);
    expect((await run('list --queue q --limit 2')).stderr).toMatch(/--next /);
  });
});

describe('clear, mark and cancel', () => {
  test('one task', async () => {
    const { run, service } = aCli();
    await service.submit({ id: 't1' });
    expect(await run('mark t1 --as failed')).toMatchObject({ code: 0, stdout: 't1  marked as failed: it is failed now\n' });
    expect(await run('clear t1')).toMatchObject({ code: 0, stdout: 't1  cleared: it is sensing now\n' });
    expect(await service.task('t1')).toMatchObject({ try_number: 2 });
    expect(await run('cancel t1 --json')).toMatchObject({ code: 0 });
    expect(await service.task('t1')).toMatchObject({ state: 'removed' });
  });

  test.each([
    ['y', 0, 'removed'],
    ['yes', 0, 'removed'],
    ['', 1, 'sensing'],
    ['no', 1, 'sensing'],
  ] as const)('many: a question first; %p', async (answer, code, state) => {
    const { run, service } = aCli();
    for (const id of ['a', 'b']) await service.submit({ id, queue: 'q' });
    const ran = await run('cancel --queue q', { tty: true, answer });
    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain('cancel 2 tasks? [y/N]');
    expect((await service.task('a')).state).toBe(state);
    expect((await service.task('b')).state).toBe(state);
  });

  test('without a terminal and without --yes nothing is even asked of the service', async () => {
    const { run, requests } = aCli();
    expect(await run('cancel --queue q')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(requests).toEqual([]);
  });

  test('cancel takes what has not ended, clear what failed, --state what it says', async () => {
    const { run, service } = aCli();
    for (const id of ['a', 'b', 'c']) await service.submit({ id, queue: 'q' });
    await run('mark a --as failed');
    await run('mark b --as success');
    expect(await run('cancel --queue q --yes')).toMatchObject({ code: 0, stdout: 'cancelled: 1 of 1 task\n' });
    expect(await run('clear --queue q --yes')).toMatchObject({ code: 0, stdout: 'cleared: 1 of 1 task\n' });
    expect((await service.task('a')).state).toBe('sensing');
    expect(await run('mark --queue q --state success --as skipped --yes')).toMatchObject({ code: 0 });
    expect((await service.task('b')).state).toBe('skipped');
    expect(await run('cancel --queue nobody --yes')).toMatchObject({ code: 0, stderr: expect.stringContaining('no task') });
  });

  test('of several ids the one that is not there is named', async () => {
    const { run, service } = aCli();
    await service.submit({ id: 'a' });
    const ran = await run('cancel a nobody');
    expect(ran).toMatchObject({ code: 1, stdout: 'cancelled: 1 of 2 tasks\n' });
    expect(ran.stderr).toMatch(/^nobody: There is no task with this id/m);
  });
});

describe('queues', () => {
  test('set keeps what is not named', async () => {
    const { run } = aCli();
    const set = (flags: string) => run(`queues set q ${flags} --json`);
    await set('--max-workers 4 --budget s3=200 --max-active-tasks 10');
    expect(JSON.parse((await set('--paused --budget emr:ListSteps=0.25')).stdout)).toMatchObject({
      max_workers: 4,
      paused: true,
      budgets: { s3: 200, 'emr:ListSteps': 0.25 },
      max_active_tasks: 10,
    });
    const after = JSON.parse((await set('--no-paused --no-max-active-tasks')).stdout) as object;
    expect(after).toMatchObject({ max_workers: 4, paused: false });
    expect(after).not.toHaveProperty('max_active_tasks');
    expect(JSON.parse((await set('--defaults')).stdout)).toMatchObject({ max_workers: 16, budgets: {} });
  });

  test('list and get', async () => {
    const { run, service } = aCli();
    expect(await run('queues')).toMatchObject({ code: 0, stderr: expect.stringContaining('no queue yet') });
    await service.submit({ id: 'a', queue: 'q' });
    expect((await run('queues list')).stdout).toMatch(/^q +active/m);
    expect((await run('queues --json')).records()).toMatchObject([{ name: 'q' }]);
    expect((await run('queues get q')).stdout).toMatch(/^max_workers +16$/m);
  });
});

test('estimate: a row a mode, and what auto would take', async () => {
  const { run, requests } = aCli();
  const { stdout, code } = await run('estimate s3-key --key s3://landing/a.csv --wait 8h --duplicates 1000');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^1,000 tasks that wait 8 h:$/m);
  for (const mode of ['smart', 'deferrable', 'reschedule', 'poke']) expect(stdout).toMatch(new RegExp(`^${mode} +\\$`, 'm'));
  expect(stdout).toMatch(/^auto takes (smart|deferrable): /m);
  expect(requests).toEqual(['POST /v1/estimate']);
});
