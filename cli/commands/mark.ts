import { Command, Option } from 'commander';
import { ACTIVE_STATES } from '../../functions/core/task.ts';
import { bulk } from '../bulk.ts';
import type { BulkOptions } from '../bulk.ts';
import type { Context } from '../context.ts';
import { addFilters } from '../options.ts';

const MARKS = ['success', 'failed', 'skipped'] as const;

const EXAMPLES = `
Examples:
  $ sensorium mark orders-2024-01-01 --as success
  $ sensorium mark --as skipped --dag orders --run scheduled__2024-01-01
  $ sensorium mark --as success --queue nightly --state failed --yes
Without --state it takes what has not ended yet.`;

interface MarkOptions extends BulkOptions {
  readonly as: (typeof MARKS)[number];
}

export function markCommand({ run }: Context): Command {
  return addFilters(new Command('mark'))
    .description('set the state of tasks by hand: it wins over any poke')
    .argument('[ids...]', 'tasks by their ids; or choose them with the flags')
    .addOption(new Option('--as <state>', 'the state they get').choices(MARKS).makeOptionMandatory())
    .option('--yes', 'do not ask first')
    .addHelpText('after', EXAMPLES)
    .action((ids: readonly string[], options: MarkOptions) =>
      run(options, (session) =>
        bulk(session, ids, options, {
          verb: `mark as ${options.as}`,
          done: `marked as ${options.as}`,
          states: ACTIVE_STATES,
          apply: (client, id) => client.mark(id, options.as),
        }),
      ),
    );
}
