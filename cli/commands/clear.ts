import { Command } from 'commander';
import { bulk } from '../bulk.ts';
import type { BulkOptions } from '../bulk.ts';
import type { Context } from '../context.ts';
import { addFilters } from '../options.ts';

const EXAMPLES = `
Examples:
  $ sensorium clear orders-2024-01-01
  $ sensorium clear --dag orders --run scheduled__2024-01-01
  $ sensorium clear --queue nightly --state failed skipped --yes
Without --state it takes the failed ones.`;

export function clearCommand({ run }: Context): Command {
  return addFilters(new Command('clear'))
    .description('have tasks wait again, in a new try')
    .argument('[ids...]', 'tasks by their ids; or choose them with the flags')
    .option('--yes', 'do not ask first')
    .addHelpText('after', EXAMPLES)
    .action((ids: readonly string[], options: BulkOptions) =>
      run(options, (session) =>
        bulk(session, ids, options, {
          verb: 'clear',
          done: 'cleared',
          states: ['failed'],
          apply: (client, id) => client.clear(id),
        }),
      ),
    );
}
