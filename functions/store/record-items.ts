import * as z from 'zod/mini';
import type { QueueRecord, ShardRecord } from '../core/queue.ts';
import { QUEUES_PARTITION, queueKey, queueNameOf, shardKey } from './keys.ts';
import { isPoison, parsed, readOnce } from './poison.ts';
import type { Poison } from './store.ts';
import type { Item } from './table.ts';
import { toAttributes } from './value.ts';

const maybe = z.exactOptional(z.number());
const numbers = z.record(z.string(), z.number());

const queueFields = {
  rev: z.int(),
  worker_concurrency: z.number(),
  min_workers: z.number(),
  max_workers: z.number(),
  cooldown_seconds: z.number(),
  budgets: numbers,
  paused: z._default(z.boolean(), false),
  max_active_tasks: maybe,
  idle: z.boolean(),
  active_at: z.number(),
  busy_at: maybe,
  decision: z.exactOptional(
    z.object({
      at: z.number(),
      desired: z.number(),
      running: z.number(),
      queued: z.number(),
      reason: z.string(),
      short: z.exactOptional(z.object({ workers: z.number(), runs: z.number() })),
    }),
  ),
  rates: z.exactOptional(numbers),
  swept_at: maybe,
} satisfies Record<Exclude<keyof QueueRecord, 'name'>, unknown>;

const shardFields = {
  queue: z.string(),
  shard: z.int(),
  lease_owner: z.exactOptional(z.string()),
  lease_until: maybe,
  // 0 on a shard that no worker has finished yet: whatever was due before is one catch-up poke.
  ticked_through: z._default(z.number(), 0),
  owed: z._default(z.array(z.string()), []),
  owed_since: maybe,
  forecast: z.exactOptional(
    z.object({
      at: z.number(),
      next_due_at: maybe,
      due: z.number(),
      recent: z.number(),
      dormant: z._default(z.number(), 0),
    }),
  ),
  statistics: z.exactOptional(
    z.object({
      at: z.number(),
      worker: z.string(),
      targets: z.number(),
      pokes: z.number(),
      calls: z.number(),
      met: z.number(),
      unknown: z.number(),
      throttled: z.number(),
      ended: z.number(),
      started: z._default(z.number(), 0),
      poison: z.number(),
      calls_saved: maybe,
      poke_lag_ms: maybe,
      throttled_by: z.exactOptional(numbers),
    }),
  ),
} satisfies Record<keyof ShardRecord, unknown>;

/** What a shard's record may hold. */
export const SHARD_ATTRIBUTES: readonly string[] = Object.keys(shardFields);

const queueSchema = z.object(queueFields);
const shardSchema = z.object(shardFields);

/** @returns the queue as the table keeps it, in the list of queues. */
export function queueItem(queue: QueueRecord): Item {
  const { name, ...rest } = queue;
  // A constant sort key: a list of queues needs no order, and a changed one would be paid at every touch.
  return { pk: queueKey(name), ...toAttributes(rest), state_partition: QUEUES_PARTITION, updated_at: 0 };
}

/** @returns the queue of an item, or poison. */
export const readQueue = readOnce((item: Item): QueueRecord | Poison => {
  const name = queueNameOf(item.pk);
  if (name === undefined) return { key: item.pk, problem: 'pk: not the key of a queue' };
  const read = parsed(queueSchema, item);
  return isPoison(read) ? read : { name, ...read };
});

/** @returns the shard's record as the table keeps it. */
export function shardItem(shard: ShardRecord): Item {
  return { pk: shardKey(shard.queue, shard.shard), ...toAttributes(shard) };
}

/** @returns the shard's record of an item, or poison. */
export const readShard = readOnce((item: Item): ShardRecord | Poison => parsed(shardSchema, item));
