export const USAGE = 'Usage: npm start [-- --once | --help]';

export const HELP = `${USAGE}

Starts the emulator and the EMR stand-in on this machine, deploys the service there with the CDK, and plays a demo on
the deployed API: 1,203 tasks that wait for S3 keys, for EMR steps behind a throttle, for a time that runs out, and for
work that is done elsewhere. It takes three to four minutes; the first start also installs what is missing.

  --once   ends after the demo: exit code 0 if every task ended as it should, 1 if not
  --help   shows this

Without --once the service goes on running until Ctrl-C. Either way nothing stays behind but what was installed.

  AWS_ENDPOINT_URL   an emulator of your own (MiniStack, LocalStack) in place of ours`;

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
