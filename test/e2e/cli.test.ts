import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { taskKey } from '../../functions/store/keys.ts';
import { ODD } from './api.ts';
import { connect } from './service.ts';
import { until } from './until.ts';

const service = connect();
const folder = mkdtempSync(join(tmpdir(), 'sensorium-cli-'));
const bin = resolve(import.meta.dirname, '..', '..', 'bin', 'sensorium.mjs');

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.leave();
});

/** Longer than any of them takes; a child that hangs is a failure. */
const CHILD_MS = 400_000;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Child {
  readonly ended: Promise<Ended>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly signal: (name: NodeJS.Signals) => void;
}

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}, stdin = ''): Child {
  const child = spawn(process.execPath, [bin, ...args], { env: { ...process.env, ...env }, timeout: CHILD_MS });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // Who refuses its arguments does not read.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  return {
    ended: new Promise((done) => {
      child.once('close', (code) => done({ code, stdout, stderr }));
    }),
    stdout: () => stdout,
    stderr: () => stderr,
    signal: (name) => void child.kill(name),
  };
}

const run = (args: string, env?: NodeJS.ProcessEnv, stdin?: string): Promise<Ended> =>
  start(args.split(' '), env, stdin).ended;

const NEVER = { type: 'datetime', at: '2100-01-01T00:00:00Z' };

test('the first start builds what is missing; help and version need nothing else', async () => {
  expect(await run('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(await run('--help')).toMatchObject({ code: 0, stderr: '' });
});

test('doctor finds the stack by itself', async () => {
  const { code, stdout } = await run('doctor');
  expect(stdout).toMatch(/^ok {4}stack +Sensorium in us-east-1 has an API$/m);
  expect(stdout).toMatch(/^ok {4}permission/m);
  expect(stdout).toMatch(/all is well\n$/);
  expect(code).toBe(0);
});

test('submit --wait: a condition that holds is a success within seconds', async () => {
  const ran = await run(`submit datetime --at 2020-01-01T00:00:00Z --queue ${service.queue()} --wait 60`);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+ {2}success\n$/) });
});

test('submit, list, explain, mark, clear, cancel', async () => {
  const queue = service.queue();
  const id = `${service.unique('cli')}${ODD}`;
  const submitted = await run(
    `submit datetime --at ${NEVER.at} --id ${id} --queue ${queue} --dag-id orders --run-id r1`,
  );
  expect(submitted).toMatchObject({ code: 0, stdout: `${id}  sensing\n` });
  const listed = await run(`list --queue ${queue} --dag orders --run r1 --json`);
  expect(JSON.parse(listed.stdout)).toMatchObject({ id, state: 'sensing' });
  expect(await run(`list --queue ${queue} --dag other`)).toMatchObject({ code: 0, stdout: '' });
  const explained = await run(`explain ${id}`);
  expect(explained.stdout).toMatch(/^Next .*\n +computed: the last look/m);
  expect(explained.stdout).toMatch(/^Costs /m);
  expect(JSON.parse((await run(`get ${id} --json`)).stdout)).toMatchObject({ id });
  expect(await run(`mark ${id} --as failed`)).toMatchObject({ code: 0 });
  expect(await run(`clear --queue ${queue} --yes`)).toMatchObject({ code: 0, stdout: 'cleared: 1 of 1 task\n' });
  expect(await run(`cancel ${id}`)).toMatchObject({ code: 0, stdout: expect.stringContaining('removed') });
  expect(await run(`watch ${id}`)).toMatchObject({ code: 1 });
});

test('queues and estimate', async () => {
  const queue = service.queue();
  expect(await run(`queues set ${queue} --max-workers 3 --paused`)).toMatchObject({ code: 0 });
  const { stdout } = await run(`queues get ${queue} --json`);
  expect(JSON.parse(stdout)).toMatchObject({ name: queue, max_workers: 3, paused: true });
  expect(await run('estimate s3-key --key s3://landing/a.csv --json')).toMatchObject({ code: 0 });
});

test('N033: whoever reads the output goes away: it ends quietly', async () => {
  const queue = service.queue();
  // More than a pipe holds.
  await service.api.submitAll(Array.from({ length: 300 }, () => ({ queue, sensor: NEVER })));
  const child = spawn(process.execPath, [bin, 'list', '--queue', queue, '--all', '--json'], { timeout: CHILD_MS });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = (await once(child, 'close')) as [number | null];
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

describe('Ctrl-C', () => {
  test('in watch: how it stands, and 2', async () => {
    const queue = service.queue();
    await service.api.submitAll(Array.from({ length: 3 }, () => ({ queue, sensor: NEVER })));
    const child = start(['watch', '--queue', queue]);
    await until(
      async () => child.stdout(),
      (text) => text.includes('3 tasks: 3 sensing'),
    );
    child.signal('SIGINT');
    expect(await child.ended).toMatchObject({ code: 2, stderr: expect.stringContaining('stopped looking: 3 sensing') });
  });

  test('in submit --wait: the task stands, and 130', async () => {
    const id = service.unique('cli');
    const child = start(['submit', 'datetime', '--at', NEVER.at, '--queue', service.queue(), '--id', id, '--wait']);
    await until(
      async () => child.stderr(),
      (text) => text.includes('waiting for its end'),
    );
    child.signal('SIGINT');
    expect(await child.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('1 sensing: the tasks wait on'),
    });
    expect((await service.api.task(id)).state).toBe('sensing');
  });
});

test('10,000 lines, three of them bad; again, and nothing is made twice; then watched and cancelled in bulk', async () => {
  const queue = service.queue();
  const lines = Array.from({ length: 10_000 }, (_, at) =>
    JSON.stringify({ id: `${queue}-${at}`, queue, sensor: NEVER }),
  );
  lines[16] = JSON.stringify({ id: `${queue}-16`, queue, sensor: NEVER, retries: -1 });
  lines[4_999] = '{"id":';
  lines[9_999] = JSON.stringify({ queue, sensor: NEVER });
  const file = join(folder, 'tasks.jsonl');
  writeFileSync(file, lines.join('\n'));
  const first = await run(`submit --file ${file}`);
  expect(first.stderr).toContain(`${file}:17: retries must be at least 0`);
  expect(first.stderr).toMatch(/:5000: is no JSON/);
  expect(first.stderr).toMatch(/:10000: id is required in a file/);
  expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('9,997 of 10,000 lines stand, 3 refused') });
  writeFileSync(file, lines.slice(0, 2_000).join('\n'));
  expect(await run(`submit --file ${file}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('1,999 of 2,000'),
  });
  for (const at of [0, 1_000, 1_999]) {
    expect(await service.table.get(taskKey(`${queue}-${at}`))).toMatchObject({ rev: 1 });
  }

  const small = service.queue();
  const some = Array.from({ length: 60 }, (_, at) =>
    JSON.stringify({ id: `${small}-${at}`, queue: small, sensor: NEVER }),
  );
  expect(await run('submit --file - --json', {}, some.join('\n'))).toMatchObject({ code: 0 });
  expect(await run(`watch --queue ${small} --limit 2`)).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^60 tasks: 60 sensing\n.*saved by sharing/),
  });
  expect(await run(`cancel --queue ${small}`)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(await run(`cancel --queue ${small} --yes`)).toMatchObject({ code: 0, stdout: 'cancelled: 60 of 60 tasks\n' });
  expect(await run(`watch --queue ${small}`)).toMatchObject({ code: 1, stdout: expect.stringContaining('60 removed') });
}, 900_000);

describe('what is wrong is said, and what to do', () => {
  test.each<[string, string, NodeJS.ProcessEnv, number, RegExp]>([
    ['no stack', 'list --stack Nowhere', {}, 1, /no stack "Nowhere" in us-east-1: deploy it/],
    ['nothing there', 'list', { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' }, 1, /AWS does not answer \(ECONNREFUSED\)/],
    [
      'no service',
      'list --url https://nowhere.invalid/v1',
      {},
      1,
      /The service does not answer.*(ENOTFOUND|EAI_AGAIN)/,
    ],
    [
      'no region',
      'list',
      { AWS_REGION: '', AWS_DEFAULT_REGION: '', AWS_CONFIG_FILE: '/dev/null' },
      1,
      /No AWS Region is known/,
    ],
    [
      'no credentials',
      'list',
      {
        AWS_ACCESS_KEY_ID: '',
        AWS_SECRET_ACCESS_KEY: '',
        AWS_EC2_METADATA_DISABLED: 'true',
        AWS_CONFIG_FILE: '/dev/null',
        AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      },
      1,
      /There are no AWS credentials: sign in/,
    ],
    ['a flag', 'list --limit many', {}, 2, /must be a whole number/],
  ])('%s', async (_, args, env, code, words) => {
    const ran = await run(args, env);
    expect(ran.stderr).toMatch(words);
    expect(ran).toMatchObject({ code, stdout: '' });
  });
});
