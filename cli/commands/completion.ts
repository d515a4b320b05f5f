import { Argument, Command } from 'commander';
import { completionScript } from '../completion.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../failures.ts';
import type { CommonOptions } from '../options.ts';

const EXAMPLES = `
Examples:
  $ echo 'source <(sensorium completion bash)' >> ~/.bashrc
  $ sensorium completion zsh > "\${fpath[1]}/_sensorium"`;

export function completionCommand({ run }: Context): Command {
  const command = new Command('completion')
    .description('print a script with which the shell completes commands and flags')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh']))
    .addHelpText('after', EXAMPLES);
  return command.action((shell: 'bash' | 'zsh', options: CommonOptions) =>
    run(options, async ({ out }) => {
      const { parent } = command;
      if (parent === null) throw new Error('the command stands in no program');
      out.line(completionScript(shell, parent));
      return EXIT.done;
    }),
  );
}
