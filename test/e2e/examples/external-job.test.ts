import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import canonicalPaths from '../../client/canonical-paths.json' with { type: 'json' };
import { ODD } from '../api.ts';
import { connect } from '../service.ts';
import { until } from '../until.ts';
import { LIMIT_MS, ROOT, runExample, runScript } from './world.ts';

const service = connect();
const { api } = service;

/** A Python that has botocore: the emulator's, where it is ours, or Airflow's. */
const pythons = [join(ROOT, '.sensorium', 'python', 'bin', 'python'), process.env['SENSORIUM_AIRFLOW_PYTHON'] ?? ''];
const python = pythons.find((path) => existsSync(path)) ?? 'python3';

afterAll(() => service.leave());

test('the client is held against the signatures of the botocore that is here', async () => {
  const { lines } = await runExample(service, python, [join('test', 'client', 'canonical-paths.py')]);
  expect(JSON.parse(lines.join('\n'))).toEqual({ ...canonicalPaths, botocore: expect.any(String) });
});

test('N027: the worker asks for nothing under an id that no URL can carry', async () => {
  expect(await work('..', ['true'])).toEqual({ code: 1, lines: ["'..' is no task's id: a URL cannot carry it"] });
});

const untilState = (id: string, wanted: string) =>
  until(
    () => api.call('GET', `/v1/tasks/${encodeURIComponent(id)}`),
    ({ text }) => text.includes(`"state":"${wanted}"`),
    { limitMs: LIMIT_MS, everyMs: 300 },
  );

/** Runs the worker; it says often that it lives. */
const work = (id: string, command: readonly string[]) =>
  runExample(service, python, [join('examples', 'external-job', 'worker.py'), id, '--', ...command], {
    HEARTBEAT_SECONDS: '0.3',
  });

test(
  'the worker runs its command for each try, and who submitted hears of the end',
  async () => {
    const id = `${service.unique('job')}${ODD}`;
    const folder = await mkdtemp(join(tmpdir(), 'sensorium-job-'));
    const flag = join(folder, 'second-try');
    const args = ['--id', id, '--queue', service.queue(), '--retry-delay', '3600'];
    const submitting = runScript(service, 'external-job/submit.ts', args);
    await untilState(id, 'queued');
    // Fails in the first try, and takes some heartbeats in the second, which a user brings about.
    const working = work(id, ['sh', '-c', `[ -e ${flag} ] || { touch ${flag}; exit 3; }; sleep 1`]);
    await untilState(id, 'up_for_retry');
    await api.call('POST', `/v1/tasks/${id}/clear`);
    expect((await submitting).lines).toEqual([id, 'success in try 2']);
    expect(await working).toEqual({
      code: 0,
      lines: [`${id}~1: {'state': 'failed', 'reason': 'exit code 3'}`, `${id}~2: {'state': 'success'}`],
    });
    await rm(folder, { recursive: true });
  },
  LIMIT_MS,
);

test(
  'a worker whose task is taken away stops its command',
  async () => {
    const queue = service.queue();
    const { id } = await api.submit({ id: `${service.unique('job')}${ODD}`, queue, sensor: { type: 'external' } });
    const working = work(id, ['sleep', '600']);
    await untilState(id, 'running');
    await api.call('DELETE', `/v1/tasks/${id}`);
    const { code, lines } = await working;
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('is not ours any more'), `${id}: removed`]);
  },
  LIMIT_MS,
);
