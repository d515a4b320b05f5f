import { describe, expect, test } from '@jest/globals';
import { bench } from '../../bench/cli.ts';
import { readArguments, wholeNumber } from '../../simulator/arguments.ts';
import { simulate } from '../../simulator/cli.ts';

describe('arguments of the commands', () => {
  test('what Node refuses is a sentence', () => {
    expect(readArguments({ args: ['--wrong'], options: {} })).toEqual({ wrong: "Unknown option '--wrong'" });
  });

  test.each([
    ['12', 12],
    ['0', undefined],
    ['-3', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['99999999999999999999', undefined],
  ])('%j from 1 on is %j', (text, number) => {
    expect(wholeNumber(text, 1)).toBe(number);
  });

  const line = { name: 'idle', run: () => Promise.reject(new Error('not to be run')) };
  const commands = {
    bench: (args: string[], print: (text: string) => void) => bench(args, [line], { print, note: print }),
    scenario: (args: string[], print: (text: string) => void) => simulate(args, print),
  };

  test.each([
    ['bench', ['--help'], 0, /^usage: npm run bench/],
    ['bench', ['--wrong'], 2, /^Unknown option '--wrong'; usage: npm run bench/],
    ['bench', ['wrong'], 2, /^no line is called wrong: there are idle/],
    ['scenario', ['--help'], 0, /^usage: npm run scenario/],
    ['scenario', ['-x'], 2, /^Unknown option '-x'; usage: npm run scenario/],
    ['scenario', [], 2, /^usage: npm run scenario/],
  ] as const)('%s %j', async (command, args, code, said) => {
    const printed: string[] = [];
    expect(await commands[command]([...args], (text) => printed.push(text))).toBe(code);
    expect(printed[0]).toMatch(said);
  });
});
