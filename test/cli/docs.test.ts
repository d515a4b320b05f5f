import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { CLI_DOCS, idleProgram, refresh } from '../../scripts/cli-docs.ts';

const page = readFileSync(CLI_DOCS, 'utf8');

let program: Command;
beforeAll(async () => {
  program = await idleProgram();
});

test('the help in docs/cli.md is what the command line says (npm run cli-docs writes it)', () => {
  expect(refresh(page, program)).toBe(page);
});

test('every command has its heading, its help and an example', () => {
  for (const command of program.commands) {
    expect(page).toContain(`\n## ${command.name()}\n`);
    expect(page).toContain(`\n\`\`\`text sensorium ${command.name()}\n`);
    expect(page).toMatch(new RegExp(`\\$ .*\\bsensorium ${command.name()}\\b`));
  }
});

/** `$ a | sensorium list --all && b` names `list --all`. */
const EXAMPLE = /\bsensorium ([^|&<>)\n]+?)(?: *[|&<>)]| {2,}|$)/;

const examples = page
  .split('\n')
  .filter((line) => /^ *\$ /.test(line))
  .flatMap((line) => EXAMPLE.exec(line)?.[1] ?? []);

describe('each documented command parses', () => {
  test.each([...new Set(examples)])('sensorium %s', async (example) => {
    const fresh = await idleProgram();
    await expect(fresh.parseAsync(example.trim().split(/ +/), { from: 'user' })).resolves.toBe(fresh);
  });
});

test('there are examples to parse', () => {
  expect(examples.length).toBeGreaterThan(25);
});
