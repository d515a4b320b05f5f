import { isDeepStrictEqual } from 'node:util';
import type { Task } from '../core/task.ts';
import type { StoreDeps } from './deps.ts';
import { taskKey } from './keys.ts';
import { isPoison, orThrow, PoisonError, readAll } from './poison.ts';
import type { AddAnswer, Beat, MoveAnswer, Store } from './store.ts';
import type { BatchUpdate, Item, Update, Value, WriteAnswer } from './table.ts';
import { TableError } from './table.ts';
import { listTasks } from './task-list.ts';
import { readTask, TASK_INDEX_ATTRIBUTES, taskItem } from './task-item.ts';

interface Move {
  readonly seen: Task;
  readonly next: Task;
}

/** The tasks' part of the store. */
export function taskStore(
  deps: StoreDeps,
): Pick<Store, 'task' | 'tasks' | 'addTasks' | 'move' | 'moveMany' | 'heartbeat' | 'list'> {
  const { table, writes, onPoison } = deps;
  return {
    async task(id) {
      const item = await table.get(taskKey(id));
      return item === undefined ? undefined : orThrow(readTask(item));
    },

    async tasks(ids) {
      return readAll(await table.getMany(ids.map(taskKey)), readTask, onPoison);
    },

    async addTasks(tasks) {
      const answers = await writes.insertMany(tasks.map(taskItem));
      return tasks.map((task, index) => {
        const answer = answers[index] ?? new TableError(`${task.id}: no answer`);
        return answer instanceof TableError ? answer : added(task, answer);
      });
    },

    async move(seen, next) {
      const answer = await writes.update(moveUpdate({ seen, next }));
      if (answer.done) return { moved: true, task: next };
      return answer.item === undefined ? { moved: false } : { moved: false, current: orThrow(readTask(answer.item)) };
    },

    async moveMany(moves) {
      const answers = await writes.updateMany(moves.map(moveStatement));
      return moves.map(({ next }, index) => {
        const answer = answers[index] ?? new TableError(`${next.id}: no answer`);
        return answer instanceof TableError ? answer : moved(next, answer);
      });
    },

    async heartbeat(id, tryNumber, from, now) {
      return heartbeat(deps, id, tryNumber, from, now);
    },

    list: (query) => listTasks(deps, query),
  };
}

function added(task: Task, answer: WriteAnswer): AddAnswer | TableError {
  if (answer.done) return { added: true, task };
  if (answer.item === undefined) return new TableError(`${task.id}: was there and is gone`);
  const existing = readTask(answer.item);
  return isPoison(existing) ? unreadable(new PoisonError(existing)) : { added: false, existing };
}

function moved(next: Task, answer: WriteAnswer): MoveAnswer | TableError {
  if (answer.done) return { moved: true, task: next };
  if (answer.item === undefined) return { moved: false };
  const current = readTask(answer.item);
  return isPoison(current) ? unreadable(new PoisonError(current)) : { moved: false, current };
}

function unreadable(cause: PoisonError): TableError {
  return new TableError(cause.message, { cause });
}

/** One transition as one conditional update. It also heals what the record does not say: see `quarantine`. */
function moveUpdate(move: Move): Update {
  const { key, change, condition } = moveStatement(move);
  const unsaid = [...TASK_INDEX_ATTRIBUTES, 'quarantined'].filter((name) => !(name in change.set));
  return { key, change: { ...change, remove: [...new Set([...change.remove, ...unsaid])] }, condition };
}

/**
 * The same as one of many: what differs between the two records. What was quarantined has left the indexes by which many
 * are found.
 */
function moveStatement({ seen, next }: Move) {
  if (next.id !== seen.id || next.rev !== seen.rev + 1) {
    throw new Error(`not a move: ${seen.id} rev ${seen.rev} to ${next.id} rev ${next.rev}`);
  }
  const before = taskItem(seen);
  const after = taskItem(next);
  const set: Record<string, Value> = {};
  for (const [name, value] of Object.entries(after)) {
    if (name !== 'pk' && (always(name) || !isDeepStrictEqual(value, before[name]))) set[name] = value;
  }
  const remove = Object.keys(before).filter((name) => !(name in after));
  return {
    key: after.pk,
    change: { set, remove },
    // The rev says it all; the others cost nothing and speak for themselves in a log.
    condition: [
      { attr: 'rev', op: '=', value: seen.rev },
      { attr: 'state', op: '=', value: seen.state },
      { attr: 'try_number', op: '=', value: seen.try_number },
    ],
  } satisfies BatchUpdate;
}

/** A quarantined task has left its indexes without its record saying so: every move puts it where it belongs. */
function always(name: string): boolean {
  return TASK_INDEX_ATTRIBUTES.includes(name);
}

async function heartbeat(
  { writes }: StoreDeps,
  id: string,
  tryNumber: number,
  { hostname, pid, queue }: Beat,
  now: number,
): Promise<MoveAnswer> {
  // Once: it asks for no rev, so that a lost answer would count it twice.
  const answer = await writes.updateOnce(taskKey(id), { set: { heartbeat_at: now }, add: { rev: 1 } }, [
    { attr: 'state', op: '=', value: 'running' },
    { attr: 'try_number', op: '=', value: tryNumber },
    { attr: 'hostname', op: '=', value: hostname },
    { attr: 'pid', op: '=', value: pid },
    ...(queue === undefined ? [] : [{ attr: 'queue', op: '=', value: queue } as const]),
  ]);
  const task = readOrNone(answer.item);
  if (!answer.done) return task === undefined ? { moved: false } : { moved: false, current: task };
  if (task === undefined) throw new TableError(`${id}: no item in the answer`);
  return { moved: true, task };
}

function readOrNone(item: Item | undefined): Task | undefined {
  return item === undefined ? undefined : orThrow(readTask(item));
}
