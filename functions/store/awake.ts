import type { Target } from '../core/target.ts';
import type { Task } from '../core/task.ts';
import type { StoreDeps } from './deps.ts';
import { INDEXES, RUN_MARKS, shardcodePartition, targetIdOf, taskIdOf } from './keys.ts';
import { isPoison, readOnce } from './poison.ts';
import type { Awake, Counted, Poison, Store } from './store.ts';
import type { Item, Query } from './table.ts';
import { readTarget } from './target-item.ts';
import { readTask } from './task-item.ts';

const { sort: WAKE_AT } = INDEXES['shardcode-index'];

const FILTERS: Readonly<Record<Counted, Pick<Query, 'without' | 'only'>>> = {
  all: { without: ['dormant'] },
  shared: { without: ['dormant', RUN_MARKS.run] },
  seen: {},
  seen_shared: { without: [RUN_MARKS.run] },
  dormant: { only: 'dormant' },
  runs: { only: RUN_MARKS.run },
  leased: { only: RUN_MARKS.leased },
};

/** What a worker looks at, and what it puts aside. */
export function awakeStore({ table }: StoreDeps): Pick<Store, 'awake' | 'countAwake' | 'quarantine'> {
  async function entries(partition: string, until: number): Promise<readonly Item[]> {
    const range = { index: 'shardcode-index', partition, to: until } as const;
    let page = await table.query(range);
    if (page.next === undefined) return page.items;
    const items = [...page.items];
    while (page.next !== undefined) {
      page = await table.query({ ...range, next: page.next });
      items.push(...page.items);
    }
    return items;
  }

  /** The first instant after `until` at which a task wakes; none where that is a run, which is counted by itself. */
  async function nextWake(partition: string, until: number): Promise<number | undefined> {
    const { items } = await table.query({ index: 'shardcode-index', partition, from: until + 1, limit: 1 });
    const wakeAt = items[0]?.[WAKE_AT];
    return typeof wakeAt === 'number' && items[0]?.[RUN_MARKS.run] === undefined ? wakeAt : undefined;
  }

  return {
    async awake(queue, shardcode, until) {
      const partition = shardcodePartition(queue, shardcode);
      const [items, next_wake] = await Promise.all([entries(partition, until), nextWake(partition, until)]);
      return { ...readEntries(items), ...(next_wake === undefined ? {} : { next_wake }) };
    },

    countAwake: (queue, shardcode, from, to, of = 'all') =>
      table.count({
        index: 'shardcode-index',
        partition: shardcodePartition(queue, shardcode),
        from,
        to,
        ...FILTERS[of],
      }),

    async quarantine({ key, problem }, now) {
      // Touches nothing that may have a wrong type, so that it works on whatever stands there.
      await table.update({
        key,
        change: {
          set: { quarantined: { reason: problem, at: now } },
          remove: [INDEXES['hashcode-index'].partition, INDEXES['shardcode-index'].partition],
        },
        condition: [{ attr: 'pk', op: 'exists' }],
      });
    },
  };
}

/** Where nothing was written the memory table gives the same list as a tick before: it is read once. */
const readEntries = readOnce((items: readonly Item[]): Awake => {
  const targets: Target[] = [];
  const tasks: Task[] = [];
  const poison: Poison[] = [];
  for (const item of items) {
    if (targetIdOf(item.pk) !== undefined) sort(readTarget(item), targets, poison);
    else if (taskIdOf(item.pk) !== undefined) sort(readTask(item), tasks, poison);
    else poison.push({ key: item.pk, problem: 'pk: neither a task nor a target' });
  }
  return { targets, tasks, poison };
});

function sort<Read extends object>(read: Read | Poison, good: Read[], poison: Poison[]): void {
  if (isPoison(read)) poison.push(read);
  else good.push(read);
}
