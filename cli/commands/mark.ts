import { Option } from 'commander';
import type { Command } from 'commander';
import { ACTIVE_STATES } from '../../functions/core/task.ts';
import type { BulkOptions } from '../bulk.ts';
import type { Context } from '../context.ts';
import { bulkCommand } from './bulk-command.ts';

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

export function markCommand(context: Context): Command {
  return bulkCommand<MarkOptions>(context, {
    name: 'mark',
    description: 'set the state of tasks by hand: it wins over any poke',
    examples: EXAMPLES,
    own: new Option('--as <state>', 'the state they get').choices(MARKS).makeOptionMandatory(),
    deed: ({ as }) => ({
      verb: `mark as ${as}`,
      done: `marked as ${as}`,
      states: ACTIVE_STATES,
      apply: (client, id) => client.mark(id, as),
    }),
  });
}
