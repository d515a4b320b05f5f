/** A command that does something to the tasks that are named, or to all that a filter chooses. */
import { Command } from 'commander';
import type { Option } from 'commander';
import { bulk } from '../bulk.ts';
import type { BulkOptions, Deed } from '../bulk.ts';
import type { Context } from '../context.ts';
import { addFilters, pathNames } from '../options.ts';

interface BulkCommand<Options extends BulkOptions> {
  readonly name: string;
  readonly description: string;
  readonly examples: string;
  /** What it has besides the filters. */
  readonly own?: Option;
  readonly deed: (options: Options) => Deed;
}

export function bulkCommand<Options extends BulkOptions>(
  { run }: Context,
  { name, description, examples, own, deed }: BulkCommand<Options>,
): Command {
  const command = addFilters(new Command(name))
    .description(description)
    .argument('[ids...]', 'tasks by their ids; or choose them with the flags', pathNames);
  if (own !== undefined) command.addOption(own);
  return command
    .option('--yes', 'do not ask first')
    .addHelpText('after', examples)
    .action((ids: readonly string[], options: Options) =>
      run(options, (session) => bulk(session, ids, options, deed(options))),
    );
}
