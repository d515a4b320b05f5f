import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Io } from '../../cli/io.ts';
import { aService, SENSOR } from '../api/service.ts';
import { aCli } from './harness.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sensorium-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function aFile(lines: readonly string[]): string {
  const file = join(folder, `${lines.length}-${Math.abs(lines.join().length)}.jsonl`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const line = (id: string, more: object = {}): string => JSON.stringify({ id, sensor: SENSOR, queue: 'q', ...more });

test('2,000 lines, three of them bad: the others stand, the bad ones are named; a second run makes nothing twice', async () => {
  const { run, service, requests } = aCli();
  const lines = Array.from({ length: 2_000 }, (_, at) => line(`t${at}`));
  lines[16] = line('t16', { retries: -1 });
  lines[999] = '{"id": "t999", "sensor"';
  lines[1_999] = line('t1999', { pokes: 3 });
  const file = aFile(lines);
  const ran = await run(['submit', '--file', file]);
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toContain(`${file}:17: retries must be at least 0\n`);
  expect(ran.stderr).toMatch(new RegExp(`${file}:1000: is no JSON \\(.*\\); each line is one task`));
  expect(ran.stderr).toContain(`${file}:2000: pokes is not a known field\n`);
  expect(ran.stderr).toContain('1,997 of 2,000 lines stand, 3 refused\n');
  expect(requests).toHaveLength(4);
  const written = service.changes.length;
  expect(await run(['submit', '--file', file])).toMatchObject({ code: 1 });
  const again = service.changes.slice(written).filter(({ key }) => key.startsWith('TASK#'));
  expect(again).toEqual([]);
}, 60_000);

test('standard input; JSON lines tell what became of each', async () => {
  const { run } = aCli();
  const stdin = `\uFEFF${line('a')}\n\n[]\n${line('b')}\n${line('c', { queue: '' })}`;
  const ran = await run('submit --file - --json', { stdin });
  expect(ran.code).toBe(1);
  expect(ran.records().toSorted((one, two) => Number(one['line']) - Number(two['line']))).toMatchObject([
    { line: 1, id: 'a', state: 'sensing' },
    { line: 3, error: expect.stringContaining('must be an object') },
    { line: 4, id: 'b', state: 'sensing' },
    { line: 5, id: 'c', status: 422, field: 'queue' },
  ]);
});

test('N030: only LF and CRLF end a line, wherever the file is cut into chunks', async () => {
  const key = 'a\u2028b\u2029c';
  const lines = ['t1', 't2'].map((id) => `{"id":"${id}","queue":"q","sensor":${JSON.stringify({ ...SENSOR, key })}}`);
  const { run, service } = aCli();
  const file = join(folder, 'separators.jsonl');
  writeFileSync(file, `${lines.join('\r\n')}\r\n`);
  const ran = await run(['submit', '--file', file]);
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('2 of 2 lines stand') });
  expect((await service.task('t1')).sensor).toMatchObject({ key: [key] });
  const piped = await run('submit --file - --json', { stdin: `${lines.join('\n')}\n`.split('') });
  expect(piped.records().map(({ line: at, id }) => [at, id])).toEqual([
    [1, 't1'],
    [2, 't2'],
  ]);
  // A carriage return alone ends nothing: this is one bad line.
  expect(await run('submit --file -', { stdin: lines.join('\r') })).toMatchObject({ code: 1 });
});

test('a line without an id is refused, and gets one of its content where that is asked for', async () => {
  const { run, service } = aCli();
  const stdin = [{ sensor: SENSOR }, { sensor: SENSOR }, { sensor: SENSOR, retries: 1 }]
    .map((body) => JSON.stringify(body))
    .join('\n');
  expect(await run('submit --file -', { stdin })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/standard input:1: id is required in a file.*--assign-ids/),
  });
  const first = await run('submit --file - --assign-ids --json', { stdin });
  expect(first).toMatchObject({ code: 0, stderr: '3 of 3 lines stand (2 tasks)\n' });
  const ids = first.records().map(({ id }) => String(id));
  expect(new Set(ids).size).toBe(2);
  const reordered = JSON.stringify({ retries: 1, sensor: { key: SENSOR.key, bucket: SENSOR.bucket, type: 's3_key' } });
  const second = await run('submit --file - --assign-ids --json', { stdin: reordered });
  expect(second.records()).toMatchObject([{ id: ids[2] }]);
  expect((await service.store.members(await service.task(ids[0]!))).tasks).toHaveLength(2);
});

test('--wait after a file: an exit code for all of them', async () => {
  const { run, service } = aCli();
  const stdin = Array.from({ length: 40 }, (_, at) => line(`t${at}`)).join('\n');
  const meanwhile = async (sleeps: number) => {
    if (sleeps === 2)
      for (let at = 0; at < 40; at += 1) await service.call('POST', `/v1/tasks/t${at}/mark`, { state: 'success' });
  };
  const ran = await run('submit --file - --wait', { stdin, meanwhile });
  expect(ran).toMatchObject({ code: 0, stdout: '40 success\n' });
});

test('plain progress without a terminal comes every so often, on a terminal it is redrawn', async () => {
  const stdin = Array.from({ length: 1_200 }, (_, at) => line(`t${at}`)).join('\n');
  expect((await aCli().run('submit --file -', { stdin })).stderr).toBe('1,200 of 1,200 lines stand\n');
  expect((await aCli().run('submit --file -', { stdin, tty: true })).stderr).toContain('\r\u001B[Ksubmitted: 500');
});

test('a service that breaks down half way: what stands is said, and that nothing is made twice', async () => {
  const service = aService();
  const cli = aCli(service);
  const stdin = Array.from({ length: 3_000 }, (_, at) => line(`t${at}`)).join('\n');
  let calls = 0;
  const fetch: Io['fetch'] = async (_, { body }) => {
    calls += 1;
    if (calls > 2) return new Response('{"message": "Internal server error"}', { status: 500 });
    const reply = await service.call('POST', '/v1/tasks', undefined, { text: typeof body === 'string' ? body : '' });
    return new Response(JSON.stringify(reply.body), { status: reply.status });
  };
  const ran = await cli.run('submit --file -', { stdin, fetch });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain('1,000 of the tasks stand for sure. Submit standard input again for the rest');
  expect(ran.stderr).toContain('The service is in trouble (500: Internal server error)');
});

test('Ctrl-C: what stands is said, and the exit code is 130', async () => {
  const { run, service } = aCli();
  const stdin = Array.from({ length: 3_000 }, (_, at) => line(`t${at}`)).join('\n');
  const ran = await run('submit --file -', { stdin, stopAtRequest: 3 });
  expect(ran.code).toBe(130);
  expect(ran.stderr).toMatch(/^(1,000|500|0) of the tasks stand for sure. Submit standard input again for the rest/m);
  expect(ran.stderr).toMatch(/interrupted\n$/);
  expect(await service.store.task('t2999')).toBeUndefined();
});
