import { Command } from 'commander';
import type { Task } from '../../client/index.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../failures.ts';
import { addQueue, pathName } from '../options.ts';
import type { CommonOptions } from '../options.ts';
import type { Out } from '../output.ts';
import { fromNow, sensorWords, stateWords } from '../words.ts';

const EXAMPLES = `
Examples:
  $ sensorium get orders-2024-01-01
  $ sensorium get orders-2024-01-01 --json | jq -r .state`;

export function getCommand({ run }: Context): Command {
  return addQueue(new Command('get'))
    .description('show a task with its history')
    .argument('<id>', "the task's id", pathName)
    .addHelpText('after', EXAMPLES)
    .action((id: string, options: CommonOptions) =>
      run(options, async ({ client, out, io }) => {
        const task = await (await client()).get(id);
        if (out.json) out.document(task);
        else page(task, out, io.now());
        return EXIT.done;
      }),
    );
}

function page(task: Task, out: Out, now: number): void {
  const row = (name: string, text: string | undefined): void => {
    if (text !== undefined) out.line(`${out.colours.bold(name.padEnd(10))}${text}`);
  };
  const at = (instant: string | undefined): string | undefined =>
    instant === undefined ? undefined : `${instant} (${fromNow(instant, now)})`;
  out.line(`${task.id}  ${stateWords(task.state, out)}`);
  row('sensor', sensorWords(task.sensor));
  row('queue', `${task.queue}, mode ${task.mode}`);
  row('try', `${task.try_number} of ${task.max_tries + 1}`);
  row('reason', task.reason);
  row('started', at(task.started_at));
  row('deadline', task.ended_at === undefined ? at(task.deadline) : undefined);
  row('retry', at(task.next_retry_at));
  row('ended', at(task.ended_at));
  row('result', task.result === undefined ? undefined : JSON.stringify(task.result));
  row('airflow', coordinates(task));
  row('tags', task.tags === undefined ? undefined : pairs(task.tags));
  out.line();
  const rows = task.history.map(({ at: when, from, to, try_number, why, by }) => {
    return [when, `${from} -> ${to}`, String(try_number), why, by];
  });
  out.table(['AT', 'STATE', 'TRY', 'WHY', 'BY'], rows);
}

function coordinates({ dag_id, task_id, run_id, map_index, logical_date }: Task): string | undefined {
  const text = pairs({ dag_id, task_id, run_id, map_index, logical_date });
  return text === '' ? undefined : text;
}

function pairs(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}
