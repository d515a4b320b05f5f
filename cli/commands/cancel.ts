import type { Command } from 'commander';
import { ACTIVE_STATES } from '../../functions/core/task.ts';
import type { Context } from '../context.ts';
import { bulkCommand } from './bulk-command.ts';

const EXAMPLES = `
Examples:
  $ sensorium cancel orders-2024-01-01
  $ sensorium cancel --dag orders --run scheduled__2024-01-01
  $ sensorium cancel --queue nightly --state up_for_retry --yes
Without --state it takes what has not ended yet.`;

export function cancelCommand(context: Context): Command {
  return bulkCommand(context, {
    name: 'cancel',
    description: 'remove tasks: nobody waits for them any more',
    examples: EXAMPLES,
    deed: () => ({
      verb: 'cancel',
      done: 'cancelled',
      states: ACTIVE_STATES,
      apply: (client, id) => client.remove(id),
    }),
  });
}
