import { describe, expect, test } from '@jest/globals';
import { aCli } from './harness.ts';

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
  for (const mode of ['smart', 'deferrable', 'reschedule', 'poke'])
    expect(stdout).toMatch(new RegExp(`^${mode} +\\$`, 'm'));
  expect(stdout).toMatch(/^auto takes (smart|deferrable): /m);
  expect(requests).toEqual(['POST /v1/estimate']);
});
