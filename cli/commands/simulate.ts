import { Command } from 'commander';
import type { Context } from '../context.ts';
import { Failure } from '../failures.ts';
import type { CommonOptions } from '../options.ts';

const EXAMPLES = `
Examples:
  $ sensorium simulate night.json
  $ sensorium simulate scenarios/*.json --json | jq .failed
A scenario file is a night of waits, with faults, on a virtual clock: test/scenarios/FORMAT.md. Needs no AWS.`;

export function simulateCommand({ run }: Context): Command {
  return new Command('simulate')
    .description('run scenario files on a virtual clock, with the code of the service')
    .argument('<files...>', 'scenario files (JSON)')
    .addHelpText('after', EXAMPLES)
    .action((files: readonly string[], options: CommonOptions) =>
      run(options, async ({ out }) => {
        // The code of the service is written for the Node of its functions.
        if (!('withResolvers' in Promise)) {
          throw new Failure(
            'The simulator needs Node.js 22 or later: npx -p node@24 -p sensorium sensorium simulate ...',
          );
        }
        const { simulate } = await import('../../simulator/cli.ts');
        if (!out.json) return simulate(files, (line) => out.line(line));
        const lines: string[] = [];
        const code = await simulate(files, (line) => void lines.push(line));
        const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lines.at(-1) ?? '') ?? [];
        out.document({ passed: Number(passed), failed: Number(failed), lines: lines.slice(0, -1) });
        return code;
      }),
    );
}
