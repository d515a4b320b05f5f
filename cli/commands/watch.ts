import { Command } from 'commander';
import type { SensoriumClient, Task } from '../../client/index.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failures.ts';
import { patiently, pauseMs, refresh } from '../follow.ts';
import type { Tasks } from '../follow.ts';
import { isTerminal } from '../../functions/core/task.ts';
import { addFilters, filterOf, idsOrFilter, pathNames, seconds } from '../options.ts';
import type { CommonOptions, FilterOptions } from '../options.ts';
import { countsOf, countWords, exitOf } from '../outcome.ts';
import type { Session } from '../session.ts';
import { createView } from '../view.ts';

const EXAMPLES = `
Examples:
  $ sensorium watch --queue nightly
  $ sensorium watch --dag orders --run scheduled__2024-01-01 --limit 2h && echo all is there
  $ sensorium watch orders-2024-01-01 orders-2024-01-02 --json
Ends when all have ended. Exit code: 0 all are success or skipped; 1 some failed or were removed; 2 some have not ended
when the limit was over or Ctrl-C was pressed (and none failed).`;

interface WatchOptions extends CommonOptions, FilterOptions {
  readonly limit?: number;
}

export function watchCommand({ run }: Context): Command {
  return addFilters(new Command('watch'))
    .description('watch tasks until they have ended: counts by state, next pokes, calls saved')
    .argument('[ids...]', 'tasks by their ids; or choose them with the flags', pathNames)
    .option('--limit <time>', 'stop after so long (90, 5m, 2h)', seconds)
    .addHelpText('after', EXAMPLES)
    .action((ids: readonly string[], options: WatchOptions) =>
      run(options, async (session) => {
        idsOrFilter(ids, options);
        const client = await session.client();
        const tasks: Tasks = new Map();
        try {
          return await watch(session, client, tasks, ids, options);
        } catch (error) {
          if (!session.io.signal.aborted || tasks.size === 0) throw error;
          session.out.note(`stopped looking: ${countWords(countsOf(tasks.values()))}; the tasks wait on`);
          return exitOf(states(tasks));
        }
      }),
    );
}

const states = (tasks: Tasks): Task['state'][] => [...tasks.values()].map(({ state }) => state);

async function watch(
  session: Session,
  client: SensoriumClient,
  tasks: Tasks,
  ids: readonly string[],
  options: WatchOptions,
): Promise<number> {
  const { io, out } = session;
  const limitMs = (options.limit ?? Number.POSITIVE_INFINITY) * 1_000;
  const startedAt = io.now();
  const view = createView(session);
  const patient = patiently(io);
  await look(client, tasks, ids, options);
  if (tasks.size === 0) {
    throw new Failure('No task matches: submit some, or look at the queue with `sensorium list`.', EXIT.open);
  }
  for (;;) {
    await patient(() => view.draw(client, [...tasks.values()]));
    const sinceMs = io.now() - startedAt;
    const isOver = states(tasks).every((state) => isTerminal(state));
    if (isOver || sinceMs >= limitMs) {
      view.end();
      if (!isOver) out.note('the limit is over; what has not ended waits on');
      return exitOf(states(tasks));
    }
    await io.sleep(Math.min(limitMs - sinceMs, pauseMs(sinceMs)));
    await patient(() => look(client, tasks, ids, options));
  }
}

/** By id: those that have not ended. By a filter: all of them, for new ones may have come. */
async function look(
  client: SensoriumClient,
  tasks: Tasks,
  ids: readonly string[],
  options: FilterOptions,
): Promise<void> {
  if (ids.length > 0) {
    if (tasks.size > 0) return refresh(client, tasks);
    for (const id of ids) tasks.set(id, await client.get(id));
    return;
  }
  for await (const task of client.listAll(filterOf(options) ?? {})) tasks.set(task.id, task);
  // A task that has left the state that is watched is read itself.
  if (options.state !== undefined) await refresh(client, tasks);
}
