import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How long a process may take to end after SIGTERM before it is killed. */
const GRACE_MS = 8_000;
/** How many of the last lines a failure quotes. */
const TAIL_LINES = 20;

/** How a command ended: by itself (with its exit code), at its time limit, or because the caller gave up. */
export type Ending = 'exited' | 'timed out' | 'aborted';

export interface Finished {
  readonly ending: Ending;
  /** Exit code; 1 for a process that was ended by a signal. */
  readonly code: number;
  /** The last lines it wrote, for an error message. */
  readonly tail: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** After this many milliseconds the command and all it started are ended. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** How long it may take to end by itself once it shall; 8 s by default. */
  readonly graceMs?: number;
  /** Gets every line of both outputs. Without it the command writes straight to this process's own outputs. */
  readonly onLine?: (line: string) => void;
}

/**
 * Runs a command to its end. It gets a process group of its own, so that a Ctrl-C does not end it behind our back and
 * ending it ends its children too. A command that fails is a value; one that cannot be started throws.
 */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  const { cwd, env, timeoutMs, signal, graceMs = GRACE_MS, onLine } = options;
  const tail: string[] = [];
  const output = onLine === undefined ? 'inherit' : 'pipe';
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', output, output] });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      tail.push(line);
      if (tail.length > TAIL_LINES) tail.shift();
      onLine?.(line);
    });
  }

  let ending: Ending = 'exited';
  let stopping: Promise<void> | undefined;
  const end = (why: Ending): void => {
    if (stopping !== undefined) return;
    ending = why;
    stopping = stopGroup(child, graceMs);
  };
  const timer = setTimeout(end, timeoutMs, 'timed out');
  const onAbort = (): void => end('aborted');
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted === true) onAbort();
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    await stopping;
    return { ending, code: code ?? 1, tail: tail.join('\n') };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Ends a process that was started with `detached: true`, and its children: politely first. Resolves when it is gone. */
export async function stopGroup(child: ChildProcess, graceMs = GRACE_MS): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const gone = new Promise<void>((resolve) => {
    if (hasExited(child)) resolve();
    child.once('exit', () => resolve());
  });
  if (!hasExited(child)) signalGroup(pid, 'SIGTERM');
  const timer = setTimeout(signalGroup, graceMs, pid, 'SIGKILL');
  await gone;
  clearTimeout(timer);
  // A leader that ended may leave children of its group behind.
  signalGroup(pid, 'SIGKILL');
}

export function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** A group lives as long as one of its members; when it is empty there is nothing to do. */
function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
