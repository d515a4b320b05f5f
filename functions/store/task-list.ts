import type { State, Task } from '../core/task.ts';
import { INDEXES, STATE_PARTITIONS, statePartition, taskIdOf, taskKey } from './keys.ts';
import { readAll } from './poison.ts';
import type { StoreDeps } from './deps.ts';
import type { ListPosition, Store } from './store.ts';
import type { Item, PageKey, Table } from './table.ts';
import { readTask } from './task-item.ts';

type ListQuery = Parameters<Store['list']>[0];

const { partition: PARTITION, sort: SORT } = INDEXES['state-index'];

interface Wanted {
  readonly queue: string;
  readonly state: State;
  readonly scan: number;
}

/** One of the partitions that a listing runs over. */
interface Lane {
  readonly part: string;
  readonly items: readonly Item[];
  /** Whether there is more after the items. */
  readonly more: boolean;
}

/**
 * One page of the tasks of a queue in a state, newest first: the partitions of the state are merged by `updated_at`.
 * The index is a hint: the tasks are read again, and those that have left the state are left out, so that a page may
 * hold fewer than `limit`.
 */
export async function listTasks({ table, onPoison }: StoreDeps, query: ListQuery): ReturnType<Store['list']> {
  const { partitions } = query.next ?? everyPartition();
  const { queue, state, limit, scan = limit, choose = () => 'take' } = query;
  const lanes = await Promise.all(
    Object.entries(partitions).map(([part, position]) => readLane(table, { queue, state, scan }, part, position)),
  );
  const page = lanes
    .flatMap(({ items }) => items)
    .toSorted(newestFirst)
    .slice(0, scan);

  const items = await table.getMany(page.map((item) => item.pk));
  const found = new Map(readAll(items, readTask, onPoison).map((task) => [taskKey(task.id), task]));
  const tasks: Task[] = [];
  const looked = new Set<Item>();
  for (const item of page) {
    if (tasks.length === limit) break;
    const task = found.get(item.pk);
    const isOf = task?.state === state && task.queue === queue;
    const choice = isOf ? choose(task) : 'leave';
    if (choice === 'stop') break;
    looked.add(item);
    if (isOf && choice === 'take') tasks.push(task);
  }
  const next = positionAfter(lanes, looked, partitions);
  return next === undefined ? { tasks } : { tasks, next };
}

function everyPartition(): ListPosition {
  const parts = Array.from({ length: STATE_PARTITIONS }, (_, part) => [String(part), null] as const);
  return { partitions: Object.fromEntries(parts) };
}

/** Reads as many entries as the page could need: all of them may come from this partition. */
async function readLane(table: Table, query: Wanted, part: string, position: PageKey | null): Promise<Lane> {
  const partition = statePartition(query.queue, query.state, Number(part));
  const items: Item[] = [];
  let next = position ?? undefined;
  do {
    const page = await table.query({
      index: 'state-index',
      partition,
      limit: query.scan - items.length,
      descending: true,
      ...(next === undefined ? {} : { next }),
    });
    items.push(...page.items);
    next = page.next;
  } while (next !== undefined && items.length < query.scan);
  return { part, items: items.filter(({ pk }) => taskIdOf(pk) !== undefined), more: next !== undefined };
}

/** Each partition goes on after the last entry that the page took of it. */
function positionAfter(
  lanes: readonly Lane[],
  taken: ReadonlySet<Item>,
  before: ListPosition['partitions'],
): ListPosition | undefined {
  const partitions: Record<string, PageKey | null> = {};
  for (const { part, items, more } of lanes) {
    const last = items.findLast((item) => taken.has(item));
    const finished = !more && items.every((item) => taken.has(item));
    if (!finished) partitions[part] = last === undefined ? (before[part] ?? null) : keyOf(last);
  }
  return Object.keys(partitions).length === 0 ? undefined : { partitions };
}

function keyOf(item: Item): PageKey {
  return { pk: item.pk, [PARTITION]: text(item[PARTITION]), [SORT]: sortOf(item) };
}

function newestFirst(a: Item, b: Item): number {
  return sortOf(b) - sortOf(a);
}

function sortOf(item: Item): number {
  const value = item[SORT];
  return typeof value === 'number' ? value : 0;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
