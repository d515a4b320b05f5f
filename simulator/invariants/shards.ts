/** Shards: one worker at a time, and nothing due is forgotten. */
import { nextDue } from '../../functions/core/cadence.ts';
import { targetKey } from '../../functions/core/identity.ts';
import { shardOf } from '../../functions/core/ranges.ts';
import type { ShardRecord } from '../../functions/core/queue.ts';
import type { Target } from '../../functions/core/target.ts';
import { sensorCatalog } from '../../functions/sensors/registry.ts';
import { scheduleOf } from '../../functions/shard-worker/schedule.ts';
import type { Invariant, Watch } from './invariant.ts';

/** A poke that was begun may take so long to have an observation. */
const POKE_MS = 12_000;

export function shards({ fail, now, calm, settings, mirror }: Watch): Invariant {
  const leasedAt = new Map<string, number>();
  const changedAt = new Map<string, number>();
  const pokedAt = new Map<string, number>();
  const tolerance = calm.skewMs + 1000;

  function lease(before: ShardRecord | undefined, after: ShardRecord, name: string): void {
    if (after.lease_owner !== undefined && after.lease_owner !== before?.lease_owner) {
      leasedAt.set(name, now());
      const until = before?.lease_owner === undefined ? undefined : before.lease_until;
      if (until !== undefined && until > now() + calm.skewMs)
        fail(`${name}: leased again ${until - now()} ms before its lease is over`);
    }
    const saved =
      after.statistics !== undefined && after.statistics !== before?.statistics && after.lease_owner === undefined;
    if (saved && after.statistics.worker !== before?.lease_owner && before?.lease_owner !== undefined)
      fail(`${name}: written by who does not hold it`);
  }

  /** What is due up to ticked_through was poked, or is owed. */
  function covered(before: ShardRecord | undefined, after: ShardRecord, name: string): void {
    const from = before?.ticked_through ?? 0;
    if (after.ticked_through < from)
      return fail(`${name}: ticked_through goes back by ${from - after.ticked_through} ms`);
    if (after.ticked_through === from) return;
    const began = leasedAt.get(name) ?? now();
    for (const target of mirror.targets.values()) {
      const key = targetKey(target);
      if (
        target.queue !== after.queue ||
        target.mode !== 'smart' ||
        target.dormant !== undefined ||
        after.owed.includes(key)
      )
        continue;
      if (shardOf(target.shardcode, settings.shard_code_upper_limit, settings.shards) !== after.shard) continue;
      // Only what the worker can have seen as it stands now.
      if ((changedAt.get(key) ?? 0) > began - calm.lagMs - tolerance) continue;
      const due = nextDue(scheduleOf(sensorCatalog, target), from);
      const isPast = due <= began - tolerance;
      const isOver =
        due !== target.next_deadline + 1 && due <= Math.min(after.ticked_through, now() - POKE_MS - tolerance);
      if (!isPast && !isOver) continue;
      if ((pokedAt.get(JSON.stringify(target.sensor)) ?? 0) >= began) continue;
      fail(`${name}: ticked through, and ${key} was due ${now() - due} ms ago, neither poked nor owed`);
    }
  }

  return {
    name: 'shards',
    shard({ before, after }) {
      if (after === undefined) return;
      const name = `shard ${after.queue}#${after.shard}`;
      lease(before, after, name);
      covered(before, after, name);
    },
    target({ before, after }) {
      if (after !== undefined && (before === undefined || SHAPE.some((field) => before[field] !== after[field]))) {
        changedAt.set(targetKey(after), now());
      }
    },
    poke({ spec, observation }) {
      if (observation.kind === 'unknown' && observation.reason.includes('no room for')) return;
      pokedAt.set(JSON.stringify(spec), now());
    },
  };
}

/** What decides when a target is due. */
const SHAPE = [
  'poke_interval',
  'exponential',
  'max_wait',
  'next_deadline',
  'joined_at',
  'dormant',
] as const satisfies readonly (keyof Target)[];
