import { Command } from 'commander';
import { ACTIVE_STATES } from '../../functions/core/task.ts';
import { bulk } from '../bulk.ts';
import type { BulkOptions } from '../bulk.ts';
import type { Context } from '../context.ts';
import { addFilters } from '../options.ts';

const EXAMPLES = `
Examples:
  $ sensorium cancel orders-2024-01-01
  $ sensorium cancel --dag orders --run scheduled__2024-01-01
  $ sensorium cancel --queue nightly --state up_for_retry --yes
Without --state it takes what has not ended yet.`;

export function cancelCommand({ run }: Context): Command {
  return addFilters(new Command('cancel'))
    .description('remove tasks: nobody waits for them any more')
    .argument('[ids...]', 'tasks by their ids; or choose them with the flags')
    .option('--yes', 'do not ask first')
    .addHelpText('after', EXAMPLES)
    .action((ids: readonly string[], options: BulkOptions) =>
      run(options, (session) =>
        bulk(session, ids, options, {
          verb: 'cancel',
          done: 'cancelled',
          states: ACTIVE_STATES,
          apply: (client, id) => client.remove(id),
        }),
      ),
    );
}
