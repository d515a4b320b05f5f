/** Submitting many tasks: 500 a call, several calls at once, every bad line named. */
import type { SensoriumClient, SubmitResult, Task } from '../client/index.ts';
import { createProgress } from './progress.ts';
import type { Session } from './session.ts';
import type { TaskLine } from './task-lines.ts';
import { count } from './words.ts';

/** What the service takes in one call. */
const BATCH = 500;
/** Calls at once: more would only queue up at the table. */
const IN_FLIGHT = 4;
/** Bad lines that are printed one by one. */
const SHOWN = 100;

type Good = Extract<TaskLine, { readonly task: unknown }>;

export interface Submitted {
  /** The tasks that stand, by id; none where they are not kept. */
  readonly tasks: Map<string, Task>;
  readonly ids: ReadonlySet<string>;
  readonly taken: number;
  readonly bad: number;
}

export interface SubmitLinesOptions {
  /** Of the file, as messages call it. */
  readonly name: string;
  /** Whether the tasks are wanted afterwards: there may be a million. */
  readonly keep: boolean;
}

export async function submitLines(
  session: Session,
  client: SensoriumClient,
  lines: AsyncIterable<TaskLine>,
  { name, keep }: SubmitLinesOptions,
): Promise<Submitted> {
  const { io, out } = session;
  const progress = createProgress(io, 'submitted');
  const tasks = new Map<string, Task>();
  const ids = new Set<string>();
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let taken = 0;
  let bad = 0;

  const complain = (line: number, detail: string, more: object = {}): void => {
    bad += 1;
    if (out.json) out.record({ line, error: detail, ...more });
    if (bad > SHOWN) return;
    progress.end();
    out.note(`${name}:${line}: ${detail}${bad === SHOWN ? ' (more such lines are only counted)' : ''}`);
  };

  const note = (line: number, result: SubmitResult): void => {
    if (result.ok) {
      taken += 1;
      ids.add(result.id);
      if (keep) tasks.set(result.id, result.task);
      if (out.json) out.record({ line, id: result.id, state: result.task.state });
      return;
    }
    const { detail, field, status } = result.error;
    complain(line, detail, { id: result.id, status, ...(field === undefined ? {} : { field }) });
  };

  const send = async (batch: readonly Good[]): Promise<void> => {
    const results = await client.submitMany(batch.map(({ task }) => task));
    results.forEach((result, index) => note(batch[index]?.line ?? 0, result));
    progress.at(taken, bad === 0 ? '' : `, ${count(bad)} refused`);
  };

  const launch = (batch: readonly Good[]): void => {
    const sent = send(batch)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => running.delete(sent));
    running.add(sent);
  };

  let batch: Good[] = [];
  for await (const each of lines) {
    if (failure !== undefined || io.signal.aborted) break;
    if ('fault' in each) complain(each.line, each.fault);
    else if (batch.push(each) === BATCH) {
      launch(batch);
      batch = [];
      if (running.size >= IN_FLIGHT) await Promise.race(running);
    }
  }
  if (batch.length > 0 && failure === undefined && !io.signal.aborted) launch(batch);
  await Promise.all(running);
  progress.end();
  if (failure !== undefined || io.signal.aborted) {
    out.note(`${count(taken)} of the tasks stand for sure. Submit ${name} again for the rest: nothing is made twice.`);
    throw failure?.error ?? io.signal.reason;
  }
  return { tasks, ids, taken, bad };
}
