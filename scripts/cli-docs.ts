// `npm run cli-docs`: writes the help of each command into docs/cli.md, between its heading's ```text fences. A test asks
// that what stands there is what the command line says.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { Help } from 'commander';
import type { Command } from 'commander';
import { loadFields } from '../cli/fields.ts';
import type { Io } from '../cli/io.ts';
import { COMMON_FLAGS } from '../cli/options.ts';
import { createProgram } from '../cli/program.ts';

export const CLI_DOCS = resolve(import.meta.dirname, '..', 'docs', 'cli.md');

const WIDTH = 100;

/** Nothing of it is used but the terminal that is none. */
const unused = (): never => {
  throw new Error('help needs nothing of the outside');
};
const io: Io = {
  stdout: { write: unused, columns: WIDTH },
  stderr: { write: unused, columns: WIDTH },
  stdin: Readable.from([]),
  env: {},
  fetch: unused,
  now: unused,
  sleep: unused,
  ask: unused,
  signal: new AbortController().signal,
  credentials: unused,
  configuredRegion: unused,
  version: '0.0.0',
};

/** @returns the program, whose commands do nothing. */
export async function idleProgram(): Promise<Command> {
  return createProgram({ io, fields: await loadFields(), run: async () => {} });
}

/** Each command's help stands in a block that begins with its name: ```text sensorium submit s3-key */
const BLOCK = /^```text sensorium(?<path>.*)\n[^]*?^```$/gm;

/** @returns the page with the help of today. @throws Error where a block names no command */
export function refresh(page: string, program: Command): string {
  return page.replaceAll(BLOCK, (_, path: string) => {
    const names = path
      .trim()
      .split(' ')
      .filter((name) => name !== '');
    const command = names.reduce((parent: Command, name) => {
      const child = parent.commands.find((each) => each.name() === name);
      if (child === undefined) throw new Error(`docs/cli.md: there is no command ${path}`);
      return child;
    }, program);
    // What all commands have stands once, with the program's own.
    const shared = command === program ? [] : COMMON_FLAGS;
    const visibleOptions = (of: Command) =>
      new Help().visibleOptions(of).filter((flag) => !shared.includes(flag.name()));
    let help = '';
    command.configureHelp({ visibleOptions });
    command.configureOutput({ writeOut: (text) => void (help += text), getOutHelpWidth: () => WIDTH });
    command.outputHelp();
    return `\`\`\`text sensorium${path}\n${help.trim()}\n\`\`\``;
  });
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(CLI_DOCS, refresh(readFileSync(CLI_DOCS, 'utf8'), await idleProgram()));
}
