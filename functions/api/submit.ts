/**
 * Submitting (DESIGN, sections 3 and 7): wake the queue, join each target once, put the tasks. Whatever fails on the way
 * leaves something that is looked at for nothing; repeating the same body is safe at every point.
 */
import pLimit from 'p-limit';
import { targetKey } from '../core/identity.ts';
import type { Task } from '../core/task.ts';
import type { AddAnswer, Joined, Store } from '../store/store.ts';
import { PoisonError } from '../store/poison.ts';
import { TableError } from '../store/table.ts';
import { addTokens } from './callback.ts';
import { beyondLimits } from './limits.ts';
import { BUSY, problem } from './problem.ts';
import type { Problem } from './problem.ts';
import type { Prepared } from './submission.ts';
import { joinTarget, waitsOnTarget, wakeQueues } from './targets.ts';

/** What became of one submitted task. `task` is the one that stands under its id. */
export type Outcome =
  | { readonly ok: true; readonly task: Task }
  | { readonly ok: false; readonly id?: string; readonly problem: Problem };

/** Targets that are joined at the same time. */
const JOINS = 50;

/**
 * Puts what was prepared.
 * @returns an outcome for each, in order. Rejects with a TableError only where nothing was put.
 */
export async function submit(store: Store, prepared: readonly Prepared[], now: number): Promise<readonly Outcome[]> {
  const wanted = new Map<string, Task>();
  for (const entry of prepared) if (entry.ok && !wanted.has(entry.task.id)) wanted.set(entry.task.id, entry.task);
  const standing = await existing(store, prepared);
  const fresh = [...wanted.values()].filter(({ id }) => !standing.has(id));
  const added =
    fresh.length === 0 ? new Map<string, AddAnswer | TableError | 'beyond'>() : await add(store, fresh, now);
  const outcomes = prepared.map((entry): Outcome => {
    if (!entry.ok) return entry;
    const { task } = entry;
    const stands = standing.get(task.id) ?? added.get(task.id);
    if (stands === undefined) throw new Error(`no answer for the task ${task.id}`);
    if (stands === 'beyond') return { ok: false, id: task.id, problem: full(task) };
    return stands instanceof TableError ? notPut(task, stands) : compare(task, stands);
  });
  return addTokens(store, prepared, outcomes);
}

/** The tasks that stand already under the ids that were named: what only repeats writes nothing. */
async function existing(store: Store, prepared: readonly Prepared[]): Promise<ReadonlyMap<string, AddAnswer>> {
  const ids = prepared.flatMap((entry) => (entry.ok && entry.named ? [entry.task.id] : []));
  const tasks = ids.length === 0 ? [] : await store.tasks([...new Set(ids)]);
  return new Map(tasks.map((task) => [task.id, { added: false, existing: task }]));
}

/** `beyond`: its queue takes no more tasks. */
type Added = Map<string, AddAnswer | TableError | 'beyond'>;

async function add(store: Store, all: readonly Task[], now: number): Promise<Added> {
  const queues = await wakeQueues(store, new Set(all.map(({ queue }) => queue)), now);
  const beyond = await beyondLimits(store, all, queues);
  const tasks = all.filter(({ id }) => !beyond.has(id));
  const joined = await joinAll(store, tasks.filter(waitsOnTarget), now);
  const answers: Added = new Map([...beyond].map((id) => [id, 'beyond']));
  const firsts: Task[] = [];
  const others: Task[] = [];
  const asked = new Set<string>();
  for (const task of tasks) {
    const key = targetKey(task);
    const target = joined.get(key);
    if (target instanceof TableError) answers.set(task.id, target);
    else if (target?.firstPoke !== true || asked.has(key)) others.push(task);
    else firsts.push({ ...task, first_poke: true });
    asked.add(key);
  }
  // The one that asks for the first poke comes last: by then its siblings are there to be found.
  for (const part of [others, firsts]) {
    if (part.length === 0) continue;
    const put = await store.addTasks(part);
    put.forEach((answer, index) => answers.set(part[index]?.id ?? '', answer));
  }
  await Promise.all(firsts.map(async (first) => passOn(store, first, answers)));
  return answers;
}

/**
 * A task that was to ask for its target's first poke was not put, since another submit was faster with its id: a task
 * that waits on that target asks in its place. What fails here only costs time: the next due poke serves them all.
 */
async function passOn(store: Store, first: Task, answers: Added): Promise<void> {
  const own = answers.get(first.id);
  if (own === undefined || own === 'beyond' || own instanceof TableError || own.added) return;
  const key = targetKey(first);
  const stand = [own, ...answers.values()].flatMap((answer) => {
    if (answer === 'beyond' || answer instanceof TableError) return [];
    return [answer.added ? answer.task : answer.existing];
  });
  const heir = stand.find((task) => waitsOnTarget(task) && targetKey(task) === key);
  if (heir === undefined || heir.first_poke === true) return;
  try {
    await store.move(heir, { ...heir, rev: heir.rev + 1, first_poke: true });
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
  }
}

/** Joins each target of the tasks once. @returns what each join left, or why it failed, by the target's key. */
async function joinAll(store: Store, tasks: readonly Task[], now: number): Promise<Map<string, Joined | TableError>> {
  const groups = [...Map.groupBy(tasks, targetKey)];
  const joined = new Map<string, Joined | TableError>();
  const joinOne = async ([key, [first, ...more]]: [string, Task[]]): Promise<void> => {
    if (first === undefined) return;
    try {
      joined.set(key, await joinTarget(store, [first, ...more], now));
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      joined.set(key, error);
    }
  };
  await pLimit(JOINS).map(groups, joinOne);
  return joined;
}

function full({ queue }: Task): Problem {
  return problem(429, `the queue ${queue} has as many active tasks as it takes; repeat when some have ended`, {
    field: 'queue',
  });
}

/** The same id with the same body is the same submit; with another body it is somebody else's. */
function compare(wanted: Task, answer: AddAnswer): Outcome {
  const stands = answer.added ? answer.task : answer.existing;
  if (stands.submit_hash === wanted.submit_hash) return { ok: true, task: stands };
  const conflict = problem(409, 'a task with this id was submitted with another body', { field: 'id' });
  return { ok: false, id: wanted.id, problem: conflict };
}

function notPut({ id }: Task, { cause }: TableError): Outcome {
  if (!(cause instanceof PoisonError)) return { ok: false, id, problem: BUSY };
  return { ok: false, id, problem: problem(409, 'a record that cannot be read has this id', { field: 'id' }) };
}
