/** What ends a command before it is done, with the code that the process ends with. */

/** 0 done; 1 refused, failed, not reached; 2 wrong use, or not ended; 128 + signal when it was stopped. */
export const EXIT = { done: 0, failed: 1, usage: 2, open: 2 } as const;

/** A sentence for the user: what is wrong, and what to do about it. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: number;

  constructor(message: string, code: number = EXIT.failed, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Wrong use: a flag, a file, an argument. */
export function usage(message: string, options: ErrorOptions = {}): Failure {
  return new Failure(message, EXIT.usage, options);
}

/** Somebody pressed Ctrl-C, or asked the process to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly code: number;

  constructor(code: number) {
    super('interrupted');
    this.code = code;
  }
}
