import { describe, expect, test } from '@jest/globals';
import type { Task } from '../../functions/core/task.ts';
import { detailOf } from '../../functions/notifier/event.ts';
import { T0 } from '../support/tasks.ts';
import { aCli } from './harness.ts';

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

  test.each([
    [{}, 'failed, by its timeout'],
    [{ soft_fail: true, retries: 2 }, 'skipped'],
    [{ never_fail: true, retries: 2, retry_on_timeout: true }, 'skipped'],
    [{ retries: 2 }, 'failed, by its timeout'],
    [{ retries: 2, retry_on_timeout: true }, 'another try (2 left)'],
    [{ retries: 1, execution_timeout: 60, soft_fail: true }, 'another try (1 left)'],
    [{ execution_timeout: 60, soft_fail: true }, 'failed, by its execution_timeout'],
  ])('%j: what follows its deadline', async (more, words) => {
    const { run, service } = aCli();
    await service.submit({ id: 't1', ...more });
    expect((await run('explain t1')).stdout).toContain(`, then: ${words}\n`);
    service.at(10_000_000);
    const late = await run('explain t1', { skewMs: 10_000_000_000 });
    expect(late.stdout).toMatch(/^Ends {4}since .*, at the next clean poke/m);
  });

  test('a task that will be tried again: how long the pause is, and of what', async () => {
    const { run, service } = aCli();
    await service.submit({ id: 't1', retries: 2, retry_exponential_backoff: true });
    await service.move('t1', { type: 'failed', reason: 'it broke' });
    const { stdout } = await run('explain t1');
    expect(stdout).toMatch(/^Retry .*because: it broke$/m);
    expect(stdout).toMatch(/computed: \d+ s and \d+ s of jitter/);
    expect(stdout).toMatch(/^Ends {4}after its tries/m);
  });

  test('case N025: who has not been told of its end, for how long, and when it is tried again', async () => {
    const { run, service } = aCli();
    const task: Task = await service.submit({ id: 't1' });
    await service.move('t1', { type: 'failed', reason: 'it broke' });
    const fact = detailOf({ ...task, state: 'failed' }, 'sensing');
    const mark = { receiver: 'bus', fact, since: T0, tries: 3, why: 'InternalFailure', wake_at: T0 + 300_000 } as const;
    await service.store.addUntold([mark]);
    const page = (seconds: number) => run('explain t1', { skewMs: seconds * 1000 });
    service.at(120);
    expect((await page(120)).stdout).toMatch(
      /^Untold {2}the bus, for 2 min: refused 3 times \(InternalFailure\), tried again in 3 min$/m,
    );
    expect((await page(301)).stdout).toMatch(/tried again in the next tick$/m);
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
    expect(records.map(({ id }) => String(id)).toSorted()).toEqual(TASKS);
  });

  test('by state', async () => {
    const { run } = await filled();
    expect((await run('list --queue q --state failed --json')).records()).toMatchObject([{ id: 'a' }]);
    expect((await run('list --queue q --state failed sensing --state skipped --json')).records()).toHaveLength(5);
    expect(await run('list --queue q --state running')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'no task matches\n',
    });
  });

  test('by DAG and run', async () => {
    const { run, service } = await filled();
    await service.submit({ id: 'x', queue: 'q', dag_id: 'orders', run_id: 'r1' });
    await service.submit({ id: 'y', queue: 'q', dag_id: 'orders', run_id: 'r2' });
    expect((await run('list --queue q --dag orders --json')).records()).toHaveLength(2);
    expect((await run('list --queue q --dag orders --run r2 --json')).records()).toMatchObject([{ id: 'y' }]);
    expect((await run('list --queue q --run r1 --all --json')).records()).toMatchObject([{ id: 'x' }]);
  });

  test('page by page, and all pages', async () => {
    const { run } = await filled();
    const first = (await run('list --queue q --limit 2 --json')).records();
    const next = String(first.at(-1)!['next']);
    expect(first).toHaveLength(3);
    const second = await run(['list', '--queue', 'q', '--limit', '100', '--next', next, '--json']);
    const ids = [...first.slice(0, -1), ...second.records()].map(({ id }) => String(id));
    expect(ids.toSorted()).toEqual(TASKS);
    expect((await run('list --queue q --all --json')).records()).toHaveLength(5);
    expect((await run('list --queue q --limit 2')).stderr).toMatch(/--next /);
  });
});

test.each(['path/to/media file.mp4', 'manual__2024-01-01T00:00:00+00:00', 'a&b=c#d%20e'])(
  'N029: list --run finds what it names: %s',
  async (run_id) => {
    const { run, service } = aCli();
    await service.submit({ id: 't1', run_id });
    await service.submit({ id: 't2', run_id: `${run_id}!` });
    const { code, records } = await run(['list', '--run', run_id, '--json']);
    expect(code).toBe(0);
    expect(records()).toMatchObject([{ id: 't1', run_id }]);
  },
);
