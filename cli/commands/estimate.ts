import { Command } from 'commander';
import type { Estimate, EstimateRequest } from '../../client/index.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../failures.ts';
import { withFlags } from '../field-flags.ts';
import { addFields } from '../flags.ts';
import type { SensorFields } from '../flags.ts';
import { seconds, wholeNumber } from '../options.ts';
import type { CommonOptions } from '../options.ts';
import type { Out } from '../output.ts';
import { counted, duration } from '../words.ts';
import { dashedType, taskOf } from './submit.ts';

const EXAMPLES = `
Examples:
  $ sensorium estimate s3-key --bucket landing --key in/orders.csv --wait 8h
  $ sensorium estimate s3-key --key s3://landing/in/orders.csv --poke-interval 30 --duplicates 1000`;

interface EstimateOptions extends CommonOptions, Readonly<Record<string, unknown>> {
  readonly duplicates?: number;
  readonly wait?: number;
}

export function estimateCommand(context: Context): Command {
  const command = new Command('estimate')
    .description('say what a task would cost in each mode; nothing is submitted')
    .usage('<sensor> [options]')
    .addHelpText('after', EXAMPLES);
  for (const sensor of context.fields.sensors) command.addCommand(sensorEstimate(context, sensor));
  return command;
}

function sensorEstimate({ run, fields }: Context, sensor: SensorFields): Command {
  const command = new Command(dashedType(sensor.type))
    .description(sensor.summary)
    .option('--duplicates <number>', 'how many equal tasks wait for it (default: 1)', wholeNumber(1))
    .option('--wait <duration>', 'how long it is expected to wait (default: 1h)', seconds);
  if (dashedType(sensor.type) !== sensor.type) command.alias(sensor.type);
  addFields(command, sensor.fields, 'What is waited for:');
  addFields(command, fields.task, 'How it is waited for:');
  return command.action((options: EstimateOptions) =>
    run(options, async ({ client, out }) => {
      const { duplicates, wait } = options;
      const request: EstimateRequest = {
        task: taskOf(sensor, fields.task, options),
        ...(duplicates === undefined ? {} : { duplicates }),
        ...(wait === undefined ? {} : { wait }),
      };
      const estimate = await withFlags([...sensor.fields, ...fields.task], (await client()).estimate(request));
      if (out.json) out.document(estimate);
      else show(estimate, out);
      return EXIT.done;
    }),
  );
}

function show({ duplicates, wait, prices, auto, modes }: Estimate, out: Out): void {
  out.line(`${counted(duplicates, 'task')} that wait${duplicates === 1 ? 's' : ''} ${duration(wait * 1_000)}:`);
  out.line();
  const rows = modes.map((each) => [
    each.mode === auto.mode ? out.colours.green(each.mode) : each.mode,
    `$${each.dollars.toPrecision(3)}`,
    String(Math.round(each.calls)),
    String(Math.round(each.invocations)),
    String(Math.round(each.transitions)),
    String(Math.round(each.writes)),
    duration(each.detection_delay * 1_000),
  ]);
  out.table(['MODE', 'COSTS', 'CALLS', 'INVOCATIONS', 'TRANSITIONS', 'WRITES', 'NOTICED WITHIN'], rows);
  out.line();
  out.line(`auto takes ${auto.mode}: ${auto.why}`);
  out.line(out.colours.dim(`a model, not a bill; prices: ${prices.source}`));
}
