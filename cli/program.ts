/** The program: its commands, and the help and errors that they have in common. */
import { Command } from 'commander';
import { cancelCommand } from './commands/cancel.ts';
import { clearCommand } from './commands/clear.ts';
import { completionCommand } from './commands/completion.ts';
import { doctorCommand } from './commands/doctor.ts';
import { drainCommand } from './commands/drain.ts';
import { estimateCommand } from './commands/estimate.ts';
import { explainCommand } from './commands/explain.ts';
import { getCommand } from './commands/get.ts';
import { listCommand } from './commands/list.ts';
import { markCommand } from './commands/mark.ts';
import { queuesCommand } from './commands/queues.ts';
import { simulateCommand } from './commands/simulate.ts';
import { submitCommand } from './commands/submit.ts';
import { watchCommand } from './commands/watch.ts';
import type { Context } from './context.ts';
import { addCommonOptions } from './options.ts';
import { coloursFor } from './output.ts';

const WIDTH = 100;

export const COMMANDS = [
  submitCommand,
  getCommand,
  listCommand,
  watchCommand,
  explainCommand,
  clearCommand,
  markCommand,
  cancelCommand,
  queuesCommand,
  estimateCommand,
  simulateCommand,
  doctorCommand,
  drainCommand,
  completionCommand,
];

const EXIT_CODES = `
Exit codes: 0 done; 1 refused, failed or not reached; 2 wrong use, or not ended; 130 stopped by Ctrl-C.
\`sensorium <command> --help\` has the flags of a command and examples.`;

export function createProgram(context: Context): Command {
  const { stdout, stderr, env, version } = context.io;
  const program = addCommonOptions(new Command('sensorium'))
    .description('Waits for thousands of conditions at once: submit, watch and explain tasks of a deployed Sensorium.')
    .version(version, '--version', 'print the version')
    .exitOverride()
    .enablePositionalOptions()
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? WIDTH,
      getErrHelpWidth: () => stderr.columns ?? WIDTH,
      getOutHasColors: () => coloursFor(stdout, env).isColorSupported,
      getErrHasColors: () => coloursFor(stderr, env).isColorSupported,
      outputError: (text, write) => write(`${coloursFor(stderr, env).red('error:')}${text.replace(/^error:/, '')}`),
    })
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError('Run `sensorium --help` to see the commands.');
  for (const create of COMMANDS) program.addCommand(finish(create(context), program));
  return program;
}

/** What `program.command()` would do by itself, for a command and its own. */
function finish(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  const path = [parent.name() === 'sensorium' ? 'sensorium' : `sensorium ${parent.name()}`, command.name()].join(' ');
  command.showHelpAfterError(`Run \`${path} --help\` to see what it takes.`);
  addCommonOptions(command);
  for (const child of command.commands) finish(child, command);
  return command;
}
