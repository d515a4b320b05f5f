import * as z from 'zod/mini';
import type { Cadence, Known, Target } from '../core/target.ts';
import { MODES } from '../core/task.ts';
import { shardcodePartition, targetIdOf, targetKey } from './keys.ts';
import { isPoison, parsed, readOnce } from './poison.ts';
import type { Poison } from './store.ts';
import type { Item, Value } from './table.ts';
import { sensorSchema } from './task-item.ts';
import { toAttributes } from './value.ts';

const maybe = z.exactOptional(z.number());
const at = z.number();
const reason = z.string();

const fields = {
  rev: z.int(),
  mode: z.enum(MODES),
  code: z.int(),
  sensor: sensorSchema,
  full_hash: z.string(),
  poke_interval: z.number(),
  exponential: z.boolean(),
  max_wait: maybe,
  next_deadline: z.number(),
  joined_at: z.number(),
  first_poke_at: z._default(z.number(), 0),
  dormant: maybe,
  check: z.exactOptional(z.boolean()),
  observation: z.exactOptional(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('met'), value: z.exactOptional(z.unknown()), at }),
      z.object({
        kind: z.literal('not_met'),
        state: z.exactOptional(z.string()),
        detail: z.exactOptional(z.string()),
        at,
      }),
      z.object({ kind: z.literal('failed'), reason, at }),
      z.object({ kind: z.literal('error'), reason, at }),
      z.object({ kind: z.literal('unknown'), reason, throttled: z.exactOptional(z.boolean()), at }),
    ]),
  ),
  first_unknown_at: maybe,
  generation: maybe,
  hop: maybe,
  known: z.exactOptional(
    z.object({
      poke_interval: z.number(),
      exponential: z.boolean(),
      max_wait: maybe,
      next_deadline: z.number(),
      joined_at: z.number(),
    } satisfies Record<keyof Known, unknown>),
  ),
  memory: z.exactOptional(z.unknown()),
} satisfies Record<Exclude<keyof Target, 'queue' | 'hashcode' | 'shardcode'> | 'code', unknown>;

const schema = z.object(fields);

/** @returns what never changes about a target, and where its index entry stands: nobody ticks over deferrable ones. */
export function targetIdentity(target: Target): Record<string, Value> {
  const { sensor, full_hash, shardcode: code, queue, mode } = target;
  const shardcode = mode === 'deferrable' ? undefined : shardcodePartition(queue, code);
  return toAttributes({ sensor, full_hash, code, shardcode });
}

/** @returns the three attributes of a cadence; max_wait missing where it has none. */
export function cadenceAttributes({ poke_interval, exponential, max_wait }: Cadence): Record<string, Value> {
  return toAttributes({ poke_interval, exponential, max_wait });
}

/** @returns the target as the table keeps it. */
export function targetItem(target: Target): Item {
  const { queue: _queue, mode: _mode, hashcode: _hashcode, shardcode: _shardcode, ...rest } = target;
  return {
    pk: targetKey(target),
    ...toAttributes(rest),
    ...targetIdentity(target),
    // An awake target is always looked at: its entry is sorted by its last join, so that young ones can be counted.
    wake_at: target.joined_at,
  };
}

/** @returns the target of an item, or poison that names the field that cannot be read. */
export const readTarget = readOnce((item: Item): Target | Poison => {
  const id = targetIdOf(item.pk);
  if (id === undefined) return { key: item.pk, problem: 'pk: not the key of a target' };
  const read = parsed(schema, { ...item, mode: id.mode });
  if (isPoison(read)) return read;
  const { code, max_wait, ...rest } = read;
  const target = { ...rest, queue: id.queue, hashcode: id.hashcode, shardcode: code };
  // A join that came between may leave a constant cadence with a max_wait: there it says nothing.
  return rest.exponential && max_wait !== undefined ? { ...target, max_wait } : target;
});
