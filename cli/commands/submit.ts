import { Command } from 'commander';
import type { NewTask } from '../../client/index.ts';
import type { Context } from '../context.ts';
import { EXIT, usage } from '../failures.ts';
import { addFields, bodyOf } from '../flags.ts';
import type { Field, SensorFields } from '../flags.ts';
import { withFlags } from '../field-flags.ts';
import { pathName, seconds } from '../options.ts';
import type { CommonOptions } from '../options.ts';
import { submitLines } from '../submit-lines.ts';
import { waitForAll } from '../submit-wait.ts';
import { openTaskLines } from '../task-lines.ts';
import { count, counted, stateWords } from '../words.ts';

const EXAMPLES = `
Examples:
  $ sensorium submit s3-key --bucket landing --key in/orders.csv --id orders-2024-01-01
  $ sensorium submit emr-step --job-flow-id j-2AX --step-id s-1X --retries 2 --wait
  $ sensorium submit --file tasks.jsonl
  $ generate-tasks | sensorium submit --file - --assign-ids --wait 1h
A file has a task a line, as JSON. Bad lines are named and stop none of the others; submitting it again makes nothing twice.`;

interface SubmitOptions extends CommonOptions {
  readonly wait?: true | number;
}

interface FileOptions extends SubmitOptions {
  readonly file?: string;
  readonly assignIds?: boolean;
}

export function submitCommand(context: Context): Command {
  const { run, fields } = context;
  const command = addWait(new Command('submit'))
    .description('submit a task, or a file of them')
    .usage('<sensor> [options]\n       sensorium submit --file <file> [options]')
    .argument('[sensor]', 'the kind of condition')
    .option('--file <file>', 'tasks as JSON lines; - is standard input')
    .option('--queue <name>', 'the queue of a file of tasks: a line that names another is refused', pathName)
    .option('--assign-ids', 'give lines without an id one that follows from their content')
    .addHelpText('after', EXAMPLES)
    .action((sensor: string | undefined, options: FileOptions) => {
      const { file, assignIds = false } = options;
      if (sensor !== undefined) throw usage(noSensor(sensor, fields.sensors));
      if (file === undefined)
        throw usage(`Say what to wait for (sensorium submit s3-key ...), or name a file with --file.`);
      return run(options, async (session) => {
        const { out, io } = session;
        const lines = await openTaskLines({ file, stdin: io.stdin, assignIds, signal: io.signal });
        const client = await session.client();
        const name = file === '-' ? 'standard input' : file;
        const kept = { name, keep: options.wait !== undefined };
        const { tasks, ids, taken, bad } = await submitLines(session, client, lines, kept);
        const badly = bad === 0 ? '' : `, ${count(bad)} refused`;
        const once = taken === ids.size ? '' : ` (${counted(ids.size, 'task')})`;
        if (taken + bad === 0) out.note('there is no line with a task: nothing was submitted');
        else out.note(`${count(taken)} of ${counted(taken + bad, 'line')} stand${once}${badly}`);
        const code = options.wait === undefined ? EXIT.done : await waitForAll(session, client, tasks, options.wait);
        return bad > 0 && code === EXIT.done ? EXIT.failed : code;
      });
    });
  for (const sensor of fields.sensors) command.addCommand(sensorCommand(context, sensor));
  return command;
}

function addWait(command: Command): Command {
  return command.option(
    '--wait [limit]',
    'wait for the end, for so long at most (90, 5m, 2h); exits 0, 1 or 2 by it',
    seconds,
  );
}

export function dashedType(type: string): string {
  return type.replaceAll('_', '-');
}

function noSensor(name: string, sensors: readonly SensorFields[]): string {
  return `There is no sensor "${name}": name one of ${sensors.map(({ type }) => dashedType(type)).join(', ')}.`;
}

function sensorCommand({ run, fields }: Context, sensor: SensorFields): Command {
  const command = addWait(new Command(dashedType(sensor.type))).description(sensor.summary);
  if (dashedType(sensor.type) !== sensor.type) command.alias(sensor.type);
  addFields(command, sensor.fields, 'What is waited for:');
  addFields(command, fields.task, 'How it is waited for:');
  return command.action((options: SubmitOptions & Readonly<Record<string, unknown>>) =>
    run(options, async (session) => {
      const { out } = session;
      const client = await session.client();
      const task = await withFlags(
        [...sensor.fields, ...fields.task],
        client.submit(taskOf(sensor, fields.task, options)),
      );
      if (options.wait !== undefined) {
        out.note(`${task.id} stands; waiting for its end`);
        return waitForAll(session, client, new Map([[task.id, task]]), options.wait);
      }
      if (out.json) out.document(task);
      else out.line(`${task.id}  ${stateWords(task.state, out)}`);
      return EXIT.done;
    }),
  );
}

/** What is in it the service judges; flags have seen to the types. */
export function taskOf(
  { type, fields }: SensorFields,
  task: readonly Field[],
  options: Readonly<Record<string, unknown>>,
): NewTask {
  return { ...bodyOf(task, options), sensor: { type, ...bodyOf(fields, options) } } as unknown as NewTask;
}
