/** The table's present, kept from its committed writes: what is in it, who waits on which target. */
import { targetKey } from '../../functions/core/identity.ts';
import type { QueueRecord, ShardRecord } from '../../functions/core/queue.ts';
import type { Target } from '../../functions/core/target.ts';
import { isTerminal } from '../../functions/core/task.ts';
import type { Task } from '../../functions/core/task.ts';
import type { TableChange } from '../../functions/store/memory-table.ts';
import { isPoison } from '../../functions/store/poison.ts';
import type { Poison } from '../../functions/store/store.ts';
import { readQueue, readShard } from '../../functions/store/record-items.ts';
import type { Item } from '../../functions/store/table.ts';
import { readTarget } from '../../functions/store/target-item.ts';
import { readTask } from '../../functions/store/task-item.ts';

/** One write as a record's change; a missing `before` is a new one, a missing `after` one that is gone. */
export interface Change<Kept> {
  readonly before?: Kept;
  readonly after?: Kept;
}

/** What is told of each kind of record, after the mirror shows it. */
export interface Listener {
  task?(change: Change<Task>): void;
  target?(change: Change<Target>): void;
  shard?(change: Change<ShardRecord>): void;
  queue?(change: Change<QueueRecord>): void;
  unreadable?(key: string): void;
}

export interface Mirror {
  readonly tasks: ReadonlyMap<string, Task>;
  /** Those that have not ended. */
  readonly active: ReadonlyMap<string, Task>;
  readonly targets: ReadonlyMap<string, Target>;
  /** @returns the tasks that wait on a target, by its key. */
  members(key: string): ReadonlyMap<string, Task>;
  apply(change: TableChange): void;
}

/** @returns whether the task waits on a target. */
export function waits(task: Task | undefined): task is Task {
  return task?.state === 'sensing' || task?.state === 'deferred';
}

const NOBODY: ReadonlyMap<string, Task> = new Map();

export function createMirror(listeners: readonly Listener[]): Mirror {
  const tasks = new Map<string, Task>();
  const active = new Map<string, Task>();
  const targets = new Map<string, Target>();
  const members = new Map<string, Map<string, Task>>();

  function task({ before, after }: Change<Task>): void {
    if (waits(before)) members.get(targetKey(before))?.delete(before.id);
    if (before !== undefined) {
      tasks.delete(before.id);
      active.delete(before.id);
    }
    if (after === undefined) return;
    tasks.set(after.id, after);
    if (!isTerminal(after.state)) active.set(after.id, after);
    if (!waits(after)) return;
    const key = targetKey(after);
    const waiting = members.get(key) ?? new Map<string, Task>();
    members.set(key, waiting.set(after.id, after));
  }

  function target({ before, after }: Change<Target>): void {
    if (after !== undefined) targets.set(targetKey(after), after);
    else if (before !== undefined) targets.delete(targetKey(before));
  }

  /** Both sides of a change, read; nothing if a side cannot be read. */
  function read<Kept extends object>(
    { key, old, new: item }: TableChange,
    reader: (item: Item) => Kept | Poison,
  ): Change<Kept> | undefined {
    const before = old === undefined ? undefined : reader(old);
    const after = item === undefined ? undefined : reader(item);
    if ((before !== undefined && isPoison(before)) || (after !== undefined && isPoison(after))) {
      for (const listener of listeners) listener.unreadable?.(key);
      return undefined;
    }
    return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  }

  return {
    tasks,
    active,
    targets,
    members: (key) => members.get(key) ?? NOBODY,
    apply(written) {
      if (written.key.startsWith('TASK#')) {
        const change = read<Task>(written, readTask);
        if (change === undefined) return;
        task(change);
        for (const listener of listeners) listener.task?.(change);
      } else if (written.key.startsWith('TARGET#')) {
        const change = read<Target>(written, readTarget);
        if (change === undefined) return;
        target(change);
        for (const listener of listeners) listener.target?.(change);
      } else if (written.key.startsWith('SHARD#')) {
        const change = read<ShardRecord>(written, readShard);
        if (change !== undefined) for (const listener of listeners) listener.shard?.(change);
      } else if (written.key.startsWith('QUEUE#')) {
        const change = read<QueueRecord>(written, readQueue);
        if (change !== undefined) for (const listener of listeners) listener.queue?.(change);
      }
    },
  };
}
