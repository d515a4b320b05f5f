import type { Target } from '../core/target.ts';
import type { Task } from '../core/task.ts';
import type { StoreDeps } from './deps.ts';
import { INDEXES, shardcodePartition, targetIdOf, taskIdOf } from './keys.ts';
import { isPoison } from './poison.ts';
import type { Poison, Store } from './store.ts';
import type { Item, PageKey } from './table.ts';
import { readTarget } from './target-item.ts';
import { readTask } from './task-item.ts';

const { sort: WAKE_AT } = INDEXES['shardcode-index'];

/** What a worker looks at, and what it puts aside. */
export function awakeStore({ table }: StoreDeps): Pick<Store, 'awake' | 'countAwake' | 'quarantine'> {
  async function entries(partition: string, until: number): Promise<readonly Item[]> {
    const items: Item[] = [];
    let next: PageKey | undefined;
    do {
      const place = next === undefined ? {} : { next };
      const page = await table.query({ index: 'shardcode-index', partition, to: until, ...place });
      items.push(...page.items);
      next = page.next;
    } while (next !== undefined);
    return items;
  }

  /** The first instant after `until` at which a task wakes. */
  async function nextWake(partition: string, until: number): Promise<number | undefined> {
    const { items } = await table.query({ index: 'shardcode-index', partition, from: until + 1, limit: 1 });
    const wakeAt = items[0]?.[WAKE_AT];
    return typeof wakeAt === 'number' ? wakeAt : undefined;
  }

  return {
    async awake(queue, shardcode, until) {
      const partition = shardcodePartition(queue, shardcode);
      const [items, next_wake] = await Promise.all([entries(partition, until), nextWake(partition, until)]);
      const targets: Target[] = [];
      const tasks: Task[] = [];
      const poison: Poison[] = [];
      for (const item of items) {
        if (targetIdOf(item.pk) !== undefined) sort(readTarget(item), targets, poison);
        else if (taskIdOf(item.pk) !== undefined) sort(readTask(item), tasks, poison);
        else poison.push({ key: item.pk, problem: 'pk: neither a task nor a target' });
      }
      return { targets, tasks, poison, ...(next_wake === undefined ? {} : { next_wake }) };
    },

    countAwake: (queue, shardcode, from, to) =>
      table.count({
        index: 'shardcode-index',
        partition: shardcodePartition(queue, shardcode),
        from,
        to,
        without: 'dormant',
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

function sort<Read extends object>(read: Read | Poison, good: Read[], poison: Poison[]): void {
  if (isPoison(read)) poison.push(read);
  else good.push(read);
}
