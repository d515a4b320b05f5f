import { describe, expect, test } from '@jest/globals';
import { aCli } from './harness.ts';
import type { Cli } from './harness.ts';

async function waiting(ids: readonly string[]): Promise<Cli> {
  const cli = aCli();
  for (const id of ids) await cli.service.submit({ id, queue: 'q' });
  return cli;
}

const mark = ({ service }: Cli, id: string, state: string) => service.call('POST', `/v1/tasks/${id}/mark`, { state });

describe('the exit code is the outcome', () => {
  test.each([
    [['success', 'success'], 0],
    [['success', 'skipped'], 0],
    [['success', 'failed'], 1],
  ] as const)('%j: %d', async (states, code) => {
    const cli = await waiting(['a', 'b']);
    const meanwhile = async (sleeps: number) => {
      if (sleeps === 2) await mark(cli, 'a', states[0]);
      if (sleeps === 4) await mark(cli, 'b', states[1]);
    };
    expect(await cli.run('watch --queue q', { meanwhile })).toMatchObject({ code });
    expect(await cli.run('watch a b')).toMatchObject({ code });
  });

  test('removed is 1', async () => {
    const cli = await waiting(['a']);
    await cli.service.call('DELETE', '/v1/tasks/a');
    expect(await cli.run('watch a')).toMatchObject({ code: 1 });
  });

  test('2 when the limit is over, 1 if something has failed by then', async () => {
    const cli = await waiting(['a', 'b']);
    const ran = await cli.run('watch --queue q --limit 90s');
    expect(ran).toMatchObject({ code: 2, stderr: 'the limit is over; what has not ended waits on\n' });
    await mark(cli, 'a', 'failed');
    expect(await cli.run('watch --queue q --limit 90s')).toMatchObject({ code: 1 });
  });

  test('Ctrl-C says how it stands', async () => {
    const cli = await waiting(['a', 'b']);
    await mark(cli, 'a', 'success');
    const ran = await cli.run('watch --queue q', { stopAt: 2 });
    expect(ran).toMatchObject({ code: 2, stderr: 'stopped looking: 1 sensing, 1 success; the tasks wait on\n' });
    expect((await cli.service.task('b')).state).toBe('sensing');
  });

  test('nothing matches', async () => {
    expect(await aCli().run('watch --queue q')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No task matches'),
    });
  });
});

describe('a service that is down', () => {
  const NO_ANSWER = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }));

  test.each([
    ['a while: it is looked at again', 12, 0],
    ['for good: it is said', 1_000, 1],
  ])('%s', async (_, failing, code) => {
    const cli = await waiting(['a']);
    let asked = 0;
    const fetch = async (url: string, init: RequestInit) => {
      asked += 1;
      if (asked > 4 && asked <= 4 + failing) return NO_ANSWER();
      if (asked > 4 + failing) await mark(cli, 'a', 'success');
      return cli.serve(url, init);
    };
    const ran = await cli.run('watch a', { fetch });
    expect(ran.code).toBe(code);
    expect(ran.stderr).toMatch(code === 0 ? /^$/ : /The service does not answer/);
  });
});

test('without a terminal: a line a change, with the next poke and what sharing saves', async () => {
  const cli = await waiting(['a', 'b', 'c']);
  await cli.service.submit({ id: 'd', queue: 'q', sensor: { type: 's3_key', bucket: 'other', key: 'x' } });
  const ran = await cli.run('watch --queue q --limit 10m');
  expect(ran.stdout.match(/4 tasks: 4 sensing/g)).toHaveLength(1);
  expect(ran.stdout).toContain('about 2 pokes in place of 4: 50.0 % saved by sharing');
  expect(ran.stdout).toMatch(/next poke in \d+ s: s3_key bucket=landing key=in\/a.csv.* \(for 3 tasks\)/);
});

test('on a terminal it is redrawn in place, in colours; NO_COLOR takes them away', async () => {
  const cli = await waiting(['a']);
  const drawn = (await cli.run('watch a --limit 5', { tty: true })).stdout;
  expect(drawn).toContain('\u001B[3A\u001B[J');
  expect(drawn).toContain('\u001B[36msensing\u001B[39m');
  const plain = (await cli.run('watch a --limit 5', { tty: true, env: { NO_COLOR: '1' } })).stdout;
  expect(plain).not.toContain('\u001B[36m');
});

test('--json: a line a look', async () => {
  const cli = await waiting(['a', 'b']);
  const records = (await cli.run('watch --queue q --limit 5 --json')).records();
  expect(records.length).toBeGreaterThan(2);
  expect(records[0]).toMatchObject({
    total: 2,
    states: { sensing: 2 },
    pokes: { alone: 2, shared: 1 },
    next: [{ tasks: 2 }],
  });
});
