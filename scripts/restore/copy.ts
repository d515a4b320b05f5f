/**
 * Brings what a backup holds into the service's table: what is missing there, and nothing else. Records of shards,
 * slots and budgets stay behind: they are leases, positions and bookings of another day, and the next tick makes new ones.
 */
import { isTerminal, STATES } from '../../functions/core/task.ts';
import { PREFIXES } from '../../functions/store/keys.ts';
import type { Item } from '../../functions/store/table.ts';

/** What is brought, in this order: no task stands without its target, no target without its queue. */
export const KINDS = ['queue', 'target', 'task'] as const;

export type Kind = (typeof KINDS)[number];

export interface Counts {
  /** Brought into the table, or what would be. */
  readonly brought: number;
  /** There already: left as they are. */
  readonly kept: number;
}

export interface RestoreDeps {
  /** All items of the backup whose key begins so. */
  readonly read: (prefix: string) => AsyncIterable<Item>;
  /** Puts an item where there is none of its key. @returns false where there is one. */
  readonly insert: (item: Item) => Promise<boolean>;
  /** Told after each kind. */
  readonly report: (kind: Kind, counts: Counts) => void;
  readonly now: () => number;
}

/** Writes that are on their way at the same time; of a large backup no more is held. */
const AT_ONCE = 32;

/** @returns what was brought and kept, by kind. May be repeated: a second run brings what the first did not. */
export async function restore({ read, insert, report, now }: RestoreDeps): Promise<Readonly<Record<Kind, Counts>>> {
  const counted = { queue: NONE, target: NONE, task: NONE };
  for (const kind of KINDS) {
    for await (const items of parts(read(PREFIXES[kind]))) {
      const done = await Promise.all(items.map((item) => insert(restored(kind, item, now()))));
      const brought = done.filter(Boolean).length;
      const { brought: before, kept } = counted[kind];
      counted[kind] = { brought: before + brought, kept: kept + done.length - brought };
    }
    report(kind, counted[kind]);
  }
  return counted;
}

async function* parts(items: AsyncIterable<Item>): AsyncIterable<readonly Item[]> {
  let part: Item[] = [];
  for await (const item of items) {
    part.push(item);
    if (part.length < AT_ONCE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

const NONE: Counts = { brought: 0, kept: 0 };

/** An end that was told once is marked, so that its insert is not told again; a queue is awake, so that ticks look at it. */
function restored(kind: Kind, item: Item, now: number): Item {
  switch (kind) {
    case 'queue':
      return { ...item, idle: false, active_at: now };
    case 'target':
      return item;
    case 'task':
      return ENDED.has(item['state']) ? { ...item, restored_at: now } : item;
  }
}

const ENDED: ReadonlySet<unknown> = new Set(STATES.filter((state) => isTerminal(state)));
