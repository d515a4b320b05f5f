/** The command line as a function: arguments and the outside in, the exit code out. */
import { CommanderError } from 'commander';
import { advise } from './advice.ts';
import { EXIT, Interrupted } from './failures.ts';
import { NO_FIELDS } from './flags.ts';
import type { Io } from './io.ts';
import { coloursFor } from './output.ts';
import { createProgram } from './program.ts';
import { createSession } from './session.ts';

/** Commands whose flags are made of the schemas; only they wait for these to load. */
const WITH_FIELDS = new Set(['submit', 'estimate', 'completion']);

/** @returns the exit code (failures.ts). Never rejects. */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.done;
  try {
    const named = args.filter((arg) => !arg.startsWith('-'));
    const fields = named.some((arg) => WITH_FIELDS.has(arg))
      ? await (await import('./fields.ts')).loadFields()
      : NO_FIELDS;
    const program = createProgram({
      io,
      fields,
      async run(options, work) {
        // Flags of the program, of its command and of that one's own are one set.
        code = await work(createSession(io, { ...active.optsWithGlobals(), ...options }));
      },
    });
    let active = program;
    program.hook('preAction', (_, command) => {
      active = command;
    });
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return failed(error, io);
  }
}

function failed(error: unknown, { stderr, env, signal }: Io): number {
  // Its text has been printed: help, a version, or what is wrong with the arguments.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const stopped: unknown = signal.aborted ? signal.reason : error;
  if (stopped instanceof Interrupted) {
    stderr.write('interrupted\n');
    return stopped.code;
  }
  const { text, code } = advise(error);
  stderr.write(`${coloursFor(stderr, env).red('error:')} ${text}\n`);
  return code;
}
