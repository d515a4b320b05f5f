import type { Io } from './io.ts';
import type { CommonOptions } from './options.ts';
import type { Fields } from './flags.ts';
import type { Session } from './session.ts';

/** What the commands are built with. */
export interface Context {
  readonly io: Io;
  /** The flags of tasks and sensors, made of their schemas; empty where the command line names no command that has them. */
  readonly fields: Fields;
  /** Runs a command's work; what it returns is the exit code. @param options the command's own, over the program's */
  readonly run: (options: CommonOptions, work: (session: Session) => Promise<number>) => Promise<void>;
}
