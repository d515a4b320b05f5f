import { Command } from 'commander';
import type { Queue, QueueSettings } from '../../client/index.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../failures.ts';
import { pathName } from '../options.ts';
import type { CommonOptions } from '../options.ts';
import type { Out } from '../output.ts';
import { addSettings, settingsOf, settingsOfQueue } from '../queue-settings.ts';
import type { SettingsOptions } from '../queue-settings.ts';
import { count, fromNow } from '../words.ts';

const EXAMPLES = `
Examples:
  $ sensorium queues list
  $ sensorium queues get nightly
  $ sensorium queues set nightly --max-workers 32 --budget s3=200
  $ sensorium queues set nightly --paused`;

const SET_EXAMPLES = `
Examples:
  $ sensorium queues set nightly --worker-concurrency 1000 --max-workers 32
  $ sensorium queues set nightly --budget s3=200 --budget emr:ListSteps=0.5
  $ sensorium queues set nightly --paused        (and --no-paused to go on)
What is not named stays as it is; --defaults begins with the defaults instead.`;

export function queuesCommand({ run }: Context): Command {
  const list = new Command('list').description('all queues').action((options: CommonOptions) =>
    run(options, async ({ client, out }) => {
      const queues = await (await client()).queues();
      if (out.json) for (const queue of queues) out.record(queue);
      else table(queues, out);
      return EXIT.done;
    }),
  );
  const get = new Command('get')
    .description('one queue: its settings, and how it stood in its last tick')
    .argument('<name>', "the queue's name", pathName)
    .action((name: string, options: CommonOptions) =>
      run(options, async ({ client, out, io }) => {
        show(await (await client()).queue(name), out, io.now());
        return EXIT.done;
      }),
    );
  const set = addSettings(new Command('set'))
    .description('set up a queue, and make it where there is none')
    .argument('<name>', "the queue's name", pathName)
    .addHelpText('after', SET_EXAMPLES)
    .action((name: string, options: SettingsOptions & CommonOptions) =>
      run(options, async ({ client, out, io }) => {
        const api = await client();
        const before = options.defaults === true ? {} : await settingsBefore(api.queue(name));
        show(await api.setQueue(name, settingsOf(options, before)), out, io.now());
        return EXIT.done;
      }),
    );
  return new Command('queues')
    .description('list queues, read one, set one up')
    .addHelpText('after', EXAMPLES)
    .addCommand(list, { isDefault: true })
    .addCommand(get)
    .addCommand(set);
}

/** The API sets all of a queue's settings at once; who names one means to keep the others. */
async function settingsBefore(asked: Promise<Queue>): Promise<QueueSettings> {
  try {
    return settingsOfQueue(await asked);
  } catch (error) {
    if (error instanceof Error && error.name === 'SensoriumError' && 'status' in error && error.status === 404)
      return {};
    throw error;
  }
}

function table(queues: readonly Queue[], out: Out): void {
  if (queues.length === 0) {
    out.note('there is no queue yet: the first task of a queue makes it');
    return;
  }
  const rows = queues.map(({ name, waiting, due, held, owed, workers, idle, paused }) => [
    name,
    paused ? out.colours.yellow('paused') : idle ? out.colours.dim('idle') : 'active',
    count(waiting),
    count(due),
    count(held),
    count(owed),
    `${workers.running}/${workers.wanted}`,
  ]);
  out.table(['QUEUE', 'IS', 'WAITING', 'DUE', 'HELD', 'OWED', 'WORKERS'], rows);
}

function show(queue: Queue, out: Out, now: number): void {
  if (out.json) {
    out.document(queue);
    return;
  }
  const { workers, budgets, rates, ...rest } = queue;
  for (const [name, value] of Object.entries(rest)) out.line(`${out.colours.bold(name.padEnd(20))}${String(value)}`);
  const pairs = (values: Readonly<Record<string, number>>) =>
    Object.entries(values).map(([name, value]) => `${name}=${value}`);
  out.line(`${out.colours.bold('budgets'.padEnd(20))}${pairs(budgets).join(' ') || 'defaults'}`);
  out.line(`${out.colours.bold('rates now'.padEnd(20))}${pairs(rates).join(' ')}`);
  const when = workers.decided_at === undefined ? '' : `, decided ${fromNow(workers.decided_at, now)}`;
  const why = workers.reason === undefined ? '' : `: ${workers.reason}`;
  out.line(`${out.colours.bold('workers'.padEnd(20))}${workers.running} of ${workers.wanted} wanted${when}${why}`);
}
