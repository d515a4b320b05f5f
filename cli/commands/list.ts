import { Command } from 'commander';
import type { Task, TaskPage } from '../../client/index.ts';
import type { Context } from '../context.ts';
import { EXIT, usage } from '../failures.ts';
import { addFilters, filterOf, wholeNumber } from '../options.ts';
import type { CommonOptions, FilterOptions } from '../options.ts';
import type { Out } from '../output.ts';
import { fromNow, sensorWords, stateWords } from '../words.ts';

const PAGE = 50;

const EXAMPLES = `
Examples:
  $ sensorium list --queue nightly --state failed
  $ sensorium list --dag orders --run scheduled__2024-01-01 --all
  $ sensorium list --all --json | jq -r .id
With --json each task is a line, and where there are more pages the last line is {"next": "..."}.`;

interface ListOptions extends CommonOptions, FilterOptions {
  readonly limit?: number;
  readonly next?: string;
  readonly all?: boolean;
}

export function listCommand({ run }: Context): Command {
  return addFilters(new Command('list'))
    .description('list tasks: of a queue (default: "default"), newest first within a state')
    .option('--limit <number>', `tasks of the page, 1 to 100 (default: ${PAGE})`, wholeNumber(1, 100))
    .option('--next <token>', 'go on after a page, with the token that it ended with')
    .option('--all', 'all pages')
    .addHelpText('after', EXAMPLES)
    .action((options: ListOptions) =>
      run(options, async ({ client, out, io }) => {
        const { limit = PAGE, next, all = false } = options;
        if (all && (next !== undefined || options.limit !== undefined)) {
          throw usage('--all lists every page: leave --limit and --next away.');
        }
        const query = filterOf(options) ?? {};
        const api = await client();
        const shown = createListing(out, io.now());
        if (all) for await (const task of api.listAll(query)) shown.add(task);
        const page: TaskPage = all
          ? { tasks: [] }
          : await api.list({ ...query, limit, ...(next === undefined ? {} : { next }) });
        for (const task of page.tasks) shown.add(task);
        shown.end(page.next);
        return EXIT.done;
      }),
    );
}

/** JSON lines leave one by one, a table at its end. */
function createListing(out: Out, now: number) {
  const rows: string[][] = [];
  return {
    add(task: Task): void {
      if (out.json) out.record(task);
      else rows.push(rowOf(task, out, now));
    },
    end(next: string | undefined): void {
      if (out.json && next !== undefined) out.record({ next });
      if (out.json) return;
      if (rows.length > 0) out.table(['ID', 'STATE', 'TRY', 'AGE', 'SENSOR'], rows);
      else out.note(next === undefined ? 'no task matches' : 'no task on this page');
      if (next !== undefined) out.note(`there are more: --all, or --next ${next}`);
    },
  };
}

function rowOf(task: Task, out: Out, now: number): string[] {
  const { id, state, try_number, max_tries, created_at, sensor } = task;
  return [id, stateWords(state, out), `${try_number}/${max_tries + 1}`, fromNow(created_at, now), sensorWords(sensor)];
}
