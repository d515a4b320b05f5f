import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { bulkCommand } from './bulk-command.ts';

const EXAMPLES = `
Examples:
  $ sensorium clear orders-2024-01-01
  $ sensorium clear --dag orders --run scheduled__2024-01-01
  $ sensorium clear --queue nightly --state failed skipped --yes
Without --state it takes the failed ones.`;

export function clearCommand(context: Context): Command {
  return bulkCommand(context, {
    name: 'clear',
    description: 'have tasks wait again, in a new try',
    examples: EXAMPLES,
    deed: () => ({ verb: 'clear', done: 'cleared', states: ['failed'], apply: (client, id) => client.clear(id) }),
  });
}
