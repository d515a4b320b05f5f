import { INDEXES, STATE_PARTITIONS, statePartition, taskIdOf } from './keys.ts';
import { readAll } from './poison.ts';
import type { StoreDeps } from './deps.ts';
import type { ListPosition, Store } from './store.ts';
import type { Item, PageKey, Table } from './table.ts';
import { readTask } from './task-item.ts';

type ListQuery = Parameters<Store['list']>[0];

const { partition: PARTITION, sort: SORT } = INDEXES['state-index'];

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
  const lanes = await Promise.all(
    Object.entries(partitions).map(([part, position]) => readLane(table, query, part, position)),
  );
  const merged = lanes.flatMap(({ items }) => items).toSorted(newestFirst);
  const page = merged.slice(0, query.limit);

  const rank = new Map(page.map((item, index) => [item.pk, index]));
  const items = await table.getMany(page.map((item) => item.pk));
  const inOrder = items.toSorted((a, b) => (rank.get(a.pk) ?? 0) - (rank.get(b.pk) ?? 0));
  const tasks = readAll(inOrder, readTask, onPoison).filter(
    (task) => task.state === query.state && task.queue === query.queue,
  );
  const next = positionAfter(lanes, new Set(page), partitions);
  return next === undefined ? { tasks } : { tasks, next };
}

function everyPartition(): ListPosition {
  const parts = Array.from({ length: STATE_PARTITIONS }, (_, part) => [String(part), null] as const);
  return { partitions: Object.fromEntries(parts) };
}

/** Reads as many entries as the page could need: all of them may come from this partition. */
async function readLane(table: Table, query: ListQuery, part: string, position: PageKey | null): Promise<Lane> {
  const partition = statePartition(query.queue, query.state, Number(part));
  const items: Item[] = [];
  let next = position ?? undefined;
  do {
    const page = await table.query({
      index: 'state-index',
      partition,
      limit: query.limit - items.length,
      descending: true,
      ...(next === undefined ? {} : { next }),
    });
    items.push(...page.items);
    next = page.next;
  } while (next !== undefined && items.length < query.limit);
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
