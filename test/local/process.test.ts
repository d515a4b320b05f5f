import { expect, test } from '@jest/globals';
import { run } from '../../local/process.ts';

const options = { cwd: import.meta.dirname, env: process.env, timeoutMs: 20_000 };
const node = (code: string, more: object = {}) => run(process.execPath, ['-e', code], { ...options, ...more });

test('a command ends with its exit code and gives its lines', async () => {
  const lines: string[] = [];
  const onLine = (line: string) => lines.push(line);
  const finished = await node(`console.log('out'); console.error('err'); process.exitCode = 3`, { onLine });
  expect(finished).toMatchObject({ ending: 'exited', code: 3 });
  expect(lines.toSorted()).toEqual(['err', 'out']);
});

test('of many lines the last stay', async () => {
  const { tail } = await node(`for (let i = 1; i <= 100; i += 1) console.log(i)`, { onLine: () => {} });
  expect(tail.split('\n')).toEqual(Array.from({ length: 20 }, (_, index) => String(81 + index)));
});

test('a command that takes too long is ended', async () => {
  const finished = await node('setInterval(() => {}, 1000)', { timeoutMs: 200 });
  expect(finished).toMatchObject({ ending: 'timed out', code: 1 });
});

test('the children of a command are ended with it', async () => {
  // The child holds the output open for as long as it lives, and the command has ended only when the output has.
  const child = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('child lives')`;
  const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' });
    setInterval(() => {}, 1000);`;
  const controller = new AbortController();
  const finished = await node(parent, { signal: controller.signal, onLine: () => controller.abort() });
  expect(finished).toEqual({ ending: 'aborted', code: 1, tail: 'child lives' });
});

test('a command that ignores the polite request is killed', async () => {
  const code = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')`;
  const controller = new AbortController();
  const onLine = () => controller.abort();
  expect(await node(code, { signal: controller.signal, onLine, graceMs: 100 })).toMatchObject({ ending: 'aborted' });
});

test('nothing is run any more once the caller gave up', async () => {
  const finished = await node('setInterval(() => {}, 1000)', { signal: AbortSignal.abort() });
  expect(finished.ending).toBe('aborted');
});

test('a command that does not exist is an error', async () => {
  await expect(run('no-such-command', [], options)).rejects.toThrow('ENOENT');
});
