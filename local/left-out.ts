import type { EmulatorUnavailable } from './unavailable.ts';

export interface LeftOutOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Gets what is said. */
  readonly line: (text: string) => void;
}

/** Loud, so that nobody takes the rest for everything. @returns whether that is good enough: in CI it is not. */
export function leftOut(what: string, error: EmulatorUnavailable, { env, line }: LeftOutOptions): boolean {
  const isCi = env['CI'] === 'true' || env['CI'] === '1';
  const bar = '='.repeat(100);
  const verdict = isCi ? 'CI is set, so this is a failure.' : 'With CI=true this would be a failure.';
  line(`\n${bar}\nLEFT OUT: ${what}\n`);
  line(`${error.message}\n\n${verdict}\n${bar}`);
  return !isCi;
}
