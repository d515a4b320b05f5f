/** Arguments of the commands, read with Node's own parser: what is wrong with them is a sentence and no stack trace. */
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';

/** @returns what parseArgs reads, or the sentence in which it refuses. */
export function readArguments<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> | { readonly wrong: string } {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // The first sentence: what follows is advice about Node's parser.
    return { wrong: error.message.split('. ', 1)[0] ?? error.message };
  }
}

/** @returns a whole number from a text, or undefined where it is none or less than `least`. */
export function wholeNumber(text: string, least: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least ? value : undefined;
}

/** Not by its class: a test runner's is another than Node's own. */
function isRefusal(error: unknown): error is { readonly code: string; readonly message: string } {
  return (
    typeof error === 'object' &&
    error !== null &&
    'message' in error &&
    'code' in error &&
    String(error.code).startsWith('ERR_PARSE_ARGS_')
  );
}
