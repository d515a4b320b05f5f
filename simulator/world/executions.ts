/** Step Functions, as far as task tokens go: whoever waits with one is told once, and is gone then. */

/** What an execution was told, and when. */
export type Told =
  | { readonly token: string; readonly ok: true; readonly output: object }
  | { readonly token: string; readonly ok: false; readonly error: string; readonly cause: string };

export interface Executions {
  /** @returns whether somebody waited with this token. */
  tell(told: Told): boolean;
}

/** Every token has an execution that waits with it, until it is told. @param onTold hears of each that is */
export function waitingExecutions(onTold: (told: Told) => void): Executions {
  const over = new Set<string>();
  return {
    tell(told) {
      if (over.has(told.token)) return false;
      over.add(told.token);
      onTold(told);
      return true;
    },
  };
}
