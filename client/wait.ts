/** Waiting for a task's end, by asking again and again whether it has changed. */
import { NoAnswerError, SensoriumError, WaitTimeoutError } from './errors.ts';
import type { Clock } from './options.ts';
import type { EndedTask, Task, TerminalState } from './types/task.ts';

export interface WaitOptions {
  /** How long at most. @default - as long as the task takes */
  readonly timeoutSeconds?: number;
  /** Gives up at once; `wait` rejects with the signal's reason, and the task waits on. */
  readonly signal?: AbortSignal;
  /** The first pause between two looks; each is half as long again as the one before, up to 30 s. @default 1 */
  readonly pollSeconds?: number;
}

export interface WaitDeps {
  readonly clock: Clock;
  readonly random: () => number;
  /** Reads the task; undefined where it is the version that has this tag. */
  readonly look: (id: string, etag: string | undefined, signal: AbortSignal | undefined) => Promise<Seen | undefined>;
}

export interface Seen {
  readonly task: Task;
  readonly etag: string | undefined;
}

const LONGEST_MS = 30_000;
const GROWTH = 1.5;

/** Looks in a row that fail after all of their tries: then whoever waits hears of it. */
const MAX_FAILURES = 5;

const ENDS: ReadonlySet<string> = new Set<TerminalState>(['success', 'failed', 'skipped', 'removed']);

/** @returns whether a task has ended. */
export function hasEnded(task: Task): task is EndedTask {
  return ENDS.has(task.state);
}

/** @throws WaitTimeoutError with the task as it was seen last; the signal's reason; what a look rejects with */
export async function wait(
  { clock, random, look }: WaitDeps,
  id: string,
  { timeoutSeconds = Number.POSITIVE_INFINITY, signal, pollSeconds = 1 }: WaitOptions = {},
): Promise<EndedTask> {
  const endsAt = clock.now() + timeoutSeconds * 1000;
  const longest = Math.max(LONGEST_MS, pollSeconds * 1000);
  let pause = pollSeconds * 1000;
  let seen: Seen | undefined;
  for (let failures = 0; ;) {
    signal?.throwIfAborted();
    const ends = limit(signal, endsAt - clock.now());
    try {
      seen = (await look(id, seen?.etag, ends)) ?? seen;
      failures = 0;
    } catch (error) {
      signal?.throwIfAborted();
      failures += 1;
      const isOver = clock.now() >= endsAt || ends?.aborted === true;
      if (isOver && seen !== undefined && isPassing(error)) throw new WaitTimeoutError(seen.task, timeoutSeconds);
      if (isOver || failures >= MAX_FAILURES || !isPassing(error)) throw error;
    }
    if (seen !== undefined && hasEnded(seen.task)) return seen.task;
    const left = endsAt - clock.now();
    if (left <= 0 && seen !== undefined) throw new WaitTimeoutError(seen.task, timeoutSeconds);
    // From half of it to all of it: many who began to wait together do not look together.
    await clock.sleep(Math.max(0, Math.min(left, pause * (0.5 + random() / 2))), signal);
    pause = Math.min(longest, pause * GROWTH);
  }
}

/** A look that hangs holds the wait beyond its own time no longer than this. */
const GRACE_MS = 5_000;

/** Timers know no longer time. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function limit(signal: AbortSignal | undefined, leftMs: number): AbortSignal | undefined {
  if (leftMs === Number.POSITIVE_INFINITY) return signal;
  const patience = AbortSignal.timeout(Math.min(LONGEST_TIMER_MS, Math.ceil(Math.max(0, leftMs)) + GRACE_MS));
  return signal === undefined ? patience : AbortSignal.any([signal, patience]);
}

/** A wait of hours does not end because the service, or the way to it, was down for a minute. */
function isPassing(error: unknown): boolean {
  if (error instanceof NoAnswerError || (error instanceof Error && error.name === 'TimeoutError')) return true;
  return error instanceof SensoriumError && (error.status === 429 || error.status >= 500);
}
