import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { aCli } from './harness.ts';

const { run } = aCli();

async function complete(words: readonly string[]): Promise<string[]> {
  const { stdout: script } = await run('completion bash');
  const asked = `COMP_WORDS=(sensorium ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _sensorium; echo "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${script}\n${asked}`], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim().split(' ');
}

describe('bash completes', () => {
  test.each([
    ['commands', ['e'], ['explain', 'estimate']],
    ['kinds of sensors', ['submit', 'emr'], ['emr-step', 'emr-job-flow']],
    ['their flags', ['submit', 's3-key', '--buck'], ['--bucket']],
    ['the flags of a task', ['submit', 's3-key', '--bucket', 'landing', '--poke'], ['--poke-interval']],
    ['flags after the value of another', ['list', '--queue', 'nightly', '--sta'], ['--state', '--stack']],
    ['choices', ['list', '--state', 'up_for_re'], ['up_for_reschedule', 'up_for_retry']],
    ['arguments with choices', ['completion', 'z'], ['zsh']],
    ['commands of commands', ['queues', 's'], ['set']],
  ])('%s', async (_, words, wanted) => {
    expect(await complete(words)).toEqual(wanted);
  });
});

test('zsh has a script of its own', async () => {
  const { stdout, code } = await run('completion zsh');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^#compdef sensorium\n/);
  expect(stdout).toContain('compadd');
});
