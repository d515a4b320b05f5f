/** The question before something that cannot be taken back. */
import { usage } from './failures.ts';
import type { Session } from './session.ts';

export interface ConfirmOptions {
  /** Asked and answered already. */
  readonly yes?: boolean;
}

/** Before anything is asked of the service: without a terminal nobody could answer. @param what it does, as a sentence */
export function refuseUnasked({ io }: Session, { yes = false }: ConfirmOptions, what: string): void {
  if (yes || (io.stdin.isTTY === true && io.stderr.isTTY === true)) return;
  throw usage(`${what} and there is no terminal to ask on: add --yes if you mean it.`);
}

/** @param what to be confirmed: `cancel 12 tasks`. @returns whether the user agrees */
export async function confirmed({ io }: Session, { yes = false }: ConfirmOptions, what: string): Promise<boolean> {
  return yes || /^y(es)?$/i.test((await io.ask(`${what}? [y/N] `)).trim());
}
