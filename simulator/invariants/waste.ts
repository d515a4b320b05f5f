/** No target without tasks for long: seen to be nobody's, asleep, its grace over, deleted. */
import { targetKey } from '../../functions/core/identity.ts';
import { GRACE_MS } from '../../functions/core/membership.ts';
import type { Target } from '../../functions/core/target.ts';
import { hasSmallRates } from './invariant.ts';
import type { Invariant, Watch } from './invariant.ts';

const MINUTE_MS = 60_000;

/** A tick or two, and a lease that a dead worker holds. */
const SLACK_MS = 4 * MINUTE_MS;

/** All members are looked at once an hour, whatever happens. */
const HOURLY_MS = 60 * MINUTE_MS;

interface Orphan {
  readonly since: number;
  /** A caller that may have died has joined and put nothing, or has taken a task away without a word. */
  readonly untold: boolean;
}

export function waste(watch: Watch): Invariant {
  const { fail, now, calm, mirror } = watch;
  const orphans = new Map<string, Orphan>();

  /** By when nobody has to be left on it: asleep at its next due poke, gone after its grace. */
  function bound(target: Target, { since, untold }: Orphan): number {
    if (target.dormant !== undefined) return Math.max(target.dormant, calm.from) + GRACE_MS + SLACK_MS;
    const every = target.exponential ? (target.max_wait ?? 3600) : target.poke_interval;
    const small = hasSmallRates(watch, target.queue) ? 40 * MINUTE_MS : 0;
    return Math.max(since, calm.from) + every * 1000 + SLACK_MS + small + (untold ? HOURLY_MS : 0);
  }

  return {
    name: 'waste',
    target({ before, after }) {
      if (after === undefined) {
        if (before !== undefined) orphans.delete(targetKey(before));
        return;
      }
      // Sleeping ones of the deferrable mode are forgotten by the table itself.
      if (after.mode !== 'smart') return;
      const key = targetKey(after);
      if (mirror.members(key).size > 0) orphans.delete(key);
      else if (!orphans.has(key) || before?.joined_at !== after.joined_at) {
        orphans.set(key, { since: now(), untold: !calm.always });
      } else if (after.check === true) orphans.set(key, { since: now(), untold: false });
    },
    task({ before, after }) {
      if (before === undefined) {
        if (after !== undefined) orphans.delete(targetKey(after));
        return;
      }
      const key = targetKey(before);
      if (mirror.members(key).size > 0) orphans.delete(key);
      else if (before.mode === 'smart' && mirror.targets.has(key) && !orphans.has(key)) {
        orphans.set(key, { since: now(), untold: !calm.always && after?.history.at(-1)?.by !== 'service' });
      }
    },
    minute() {
      for (const [key, orphan] of orphans) {
        const target = mirror.targets.get(key);
        if (target !== undefined && now() > bound(target, orphan)) {
          fail(`target ${key} has had no task for ${(now() - orphan.since) / 1000} s`);
        }
      }
    },
    quiet: () => [...mirror.targets.values()].every(({ mode }) => mode !== 'smart'),
  };
}
