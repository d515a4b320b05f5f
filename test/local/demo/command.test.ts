import { expect, test } from '@jest/globals';
import { HELP, parseCommand, USAGE } from '../../../local/demo/command.ts';

test.each([
  [[], { kind: 'run', once: false }],
  [['--once'], { kind: 'run', once: true }],
  [['--help'], { kind: 'help' }],
  [['--once', '-h'], { kind: 'help' }],
  [['--twice'], { kind: 'wrong', sentence: `unknown argument "--twice". ${USAGE}` }],
  [['--once', 'now'], { kind: 'wrong', sentence: `unknown argument "now". ${USAGE}` }],
])('%j', (args, command) => {
  expect(parseCommand(args)).toEqual(command);
});

test('the help fits a terminal', () => {
  for (const line of HELP.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});
