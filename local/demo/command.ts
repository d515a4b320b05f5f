import { readFileSync } from 'node:fs';

export const USAGE = 'Usage: npm start [-- --once | --help]';

/** A file, so that a fresh clone can show it before anything is installed. */
export const HELP = readFileSync(new URL('help.txt', import.meta.url), 'utf8').trimEnd();

export type Command =
  | { readonly kind: 'run'; readonly once: boolean }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly sentence: string };

/** @param args what stands behind the script's name */
export function parseCommand(args: readonly string[]): Command {
  const unknown = args.find((arg) => !['--once', '--help', '-h'].includes(arg));
  if (unknown !== undefined) return { kind: 'wrong', sentence: `unknown argument "${unknown}". ${USAGE}` };
  if (args.includes('--help') || args.includes('-h')) return { kind: 'help' };
  return { kind: 'run', once: args.includes('--once') };
}
