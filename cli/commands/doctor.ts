import { Command } from 'commander';
import type { Context } from '../context.ts';
import { examine } from '../doctor.ts';
import type { Finding } from '../doctor.ts';
import { EXIT } from '../failures.ts';
import type { CommonOptions } from '../options.ts';
import type { Out } from '../output.ts';

const EXAMPLES = `
Examples:
  $ sensorium doctor
  $ sensorium doctor --profile production --region eu-west-1
A line a check: ok, FAIL with what to do, or - where an earlier one has to be put right first. Exit code 1 if any failed.`;

export function doctorCommand({ run }: Context): Command {
  return new Command('doctor')
    .description('find out why the service cannot be reached, and what to do about it')
    .addHelpText('after', EXAMPLES)
    .action((options: CommonOptions) =>
      run(options, async ({ io, out, options: all }) => {
        let failed = 0;
        for await (const finding of examine(all, io)) {
          if (finding.state === 'failed') failed += 1;
          if (out.json) out.record(finding);
          else print(finding, out);
        }
        if (!out.json) out.line(failed === 0 ? 'all is well' : `${failed} to put right`);
        return failed === 0 ? EXIT.done : EXIT.failed;
      }),
    );
}

function print({ check, state, detail }: Finding, out: Out): void {
  const { green, red, dim } = out.colours;
  const mark = { ok: green('ok  '), failed: red('FAIL'), skipped: dim('-   ') }[state];
  out.line(`${mark}  ${check.padEnd(11)}  ${detail}`);
}
