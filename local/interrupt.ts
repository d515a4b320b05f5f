const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Why everything is being stopped: somebody pressed Ctrl-C, or asked this process to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** What a shell expects of a process that a signal ended. */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('interrupted');
    this.exitCode = exitCode;
  }
}

/**
 * From here on a signal to end does not end the process: it aborts, once, with `Interrupted` as the reason, and whoever
 * holds something stops it and unwinds. More signals change nothing (a Ctrl-C arrives twice: from the terminal, and
 * passed on by the parent).
 */
export function interruptSignal(process: NodeJS.Process): AbortSignal {
  const controller = new AbortController();
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
  for (const name of SIGNALS) process.on(name, () => controller.abort(new Interrupted(codes[name])));
  return controller.signal;
}
