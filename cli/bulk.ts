/** Doing something to one task, or to all that a filter chooses: with a question first. */
import pLimit from 'p-limit';
import type { SensoriumClient, State, Task } from '../client/index.ts';
import { advise } from './advice.ts';
import { confirmed, refuseUnasked } from './confirm.ts';
import { EXIT } from './failures.ts';
import { filterOf, idsOrFilter } from './options.ts';
import type { CommonOptions, FilterOptions } from './options.ts';
import { createProgress } from './progress.ts';
import type { Session } from './session.ts';
import { count, counted, stateWords } from './words.ts';

export interface BulkOptions extends CommonOptions, FilterOptions {
  readonly yes?: boolean;
}

export interface Deed {
  /** `cancel`, and `cancelled`. */
  readonly verb: string;
  readonly done: string;
  /** The states that it takes where no `--state` says others. */
  readonly states: readonly State[];
  readonly apply: (client: SensoriumClient, id: string) => Promise<Task>;
}

/** Requests at once: the service takes many, the table's writes of one queue need not queue up. */
const AT_ONCE = 8;

/** Failures that are printed one by one. */
const SHOWN = 10;

/** @returns the exit code: 1 if it failed for any of the tasks. */
export async function bulk(
  session: Session,
  ids: readonly string[],
  options: BulkOptions,
  deed: Deed,
): Promise<number> {
  const filter = idsOrFilter(ids, options);
  if (filter !== undefined) refuseUnasked(session, options, 'This changes many tasks');
  const client = await session.client();
  const [id] = ids;
  if (filter === undefined && id !== undefined && ids.length === 1) return one(session, client, id, deed);
  const chosen = filter === undefined ? [...ids] : await choose(client, options, deed);
  if (chosen.length === 0) {
    session.out.note('no task matches: nothing to do');
    return EXIT.done;
  }
  if (filter !== undefined && !(await confirmed(session, options, `${deed.verb} ${counted(chosen.length, 'task')}`))) {
    session.out.note('nothing was changed');
    return EXIT.failed;
  }
  return all(session, client, chosen, deed);
}

async function one({ out }: Session, client: SensoriumClient, id: string, { apply, done }: Deed): Promise<number> {
  const task = await apply(client, id);
  if (out.json) out.document(task);
  else out.line(`${task.id}  ${done}: it is ${stateWords(task.state, out)} now`);
  return EXIT.done;
}

async function choose(client: SensoriumClient, options: FilterOptions, { states }: Deed): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of client.listAll({ state: states, ...filterOf(options) })) ids.push(id);
  return ids;
}

async function all(session: Session, client: SensoriumClient, ids: readonly string[], deed: Deed): Promise<number> {
  const { out, io } = session;
  const progress = createProgress(io, deed.done, ids.length);
  const failures: string[] = [];
  let done = 0;
  let unclear = 0;
  let fatal: { readonly error: unknown } | undefined;
  const limit = pLimit({ concurrency: AT_ONCE, rejectOnClear: true });
  const act = async (id: string): Promise<void> => {
    try {
      const task = await deed.apply(client, id);
      done += 1;
      if (out.json) out.record({ id, state: task.state });
    } catch (error) {
      // An interrupt, or a service that is not there, ends all of it; a task that will not, itself alone.
      if (io.signal.aborted || !isRefusal(error)) {
        fatal ??= { error };
        if (!isDenial(error)) unclear += 1;
        limit.clearQueue();
        return;
      }
      const { text } = advise(error);
      failures.push(`${id}: ${text}`);
      if (out.json) out.record({ id, error: text });
    }
    progress.at(done + failures.length);
  };
  // What runs beside a failure is waited for: only then it is known what was done.
  await Promise.allSettled(ids.map((id) => limit(act, id)));
  progress.end();
  if (fatal !== undefined) {
    const some = unclear === 0 ? '' : ` no answer came for ${count(unclear)} of them, which may be ${deed.done};`;
    out.note(`${deed.done}: ${done} of ${counted(ids.length, 'task')};${some} the others stand as they were`);
    throw fatal.error;
  }
  if (!out.json) out.line(`${deed.done}: ${done} of ${counted(ids.length, 'task')}`);
  for (const text of failures.slice(0, SHOWN)) out.note(text);
  if (failures.length > SHOWN) out.note(`and ${failures.length - SHOWN} more`);
  return failures.length === 0 ? EXIT.done : EXIT.failed;
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'SensoriumError' && !isDenial(error);
}

/** We may not: nothing was done, and the next one fares no better. */
function isDenial(error: unknown): boolean {
  return error instanceof Error && error.name === 'SensoriumError' && 'status' in error && error.status === 403;
}
