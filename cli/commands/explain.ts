import { Command } from 'commander';
import type { Context } from '../context.ts';
import { explanationPage } from '../explanation.ts';
import { EXIT } from '../failures.ts';
import { addQueue, pathName } from '../options.ts';
import type { CommonOptions } from '../options.ts';

const EXAMPLES = `
Examples:
  $ sensorium explain orders-2024-01-01
  $ sensorium explain orders-2024-01-01 --json | jq -r .next_poke`;

export function explainCommand({ run }: Context): Command {
  return addQueue(new Command('explain'))
    .description('say why a task waits, what its last poke saw, when the next is and when it ends')
    .argument('<id>', "the task's id", pathName)
    .addHelpText('after', EXAMPLES)
    .action((id: string, options: CommonOptions) =>
      run(options, async ({ client, out, io }) => {
        const api = await client();
        if (out.json) {
          out.document(await api.explain(id));
          return EXIT.done;
        }
        const [explanation, task] = await Promise.all([api.explain(id), api.get(id)]);
        for (const [name, text] of explanationPage(explanation, task, io.now())) {
          out.line(name === '' ? text : `${out.colours.bold(name.padEnd(8))}${text}`);
        }
        return EXIT.done;
      }),
    );
}
